import { type DragEvent, useId, useState } from 'react';

/** Accepts report files. */
export function StatementDrop(props: { choose: (files: File[]) => void }) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    props.choose([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the input inside does the same by keyboard
    <div
      className={`drop ${isOver ? 'drop-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p className="drop-title">Drop statement files here</p>
      <input
        id={id}
        type="file"
        multiple
        className="visually-hidden"
        accept=".htm,.html,.xlsx,.xls,.ods,.csv,.tsv,.txt,.json,.jsonl"
        onChange={(event) => {
          props.choose([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <label className="button button-primary" htmlFor={id}>
        Choose files
      </label>
      <p className="hint">
        Reports of MetaTrader 4 and 5 and their testers (html, xlsx, ods); trades as cTrader,
        TradingView, Exness, Match-Trader, TradeLocker, Myfxbook, FX Blue or ZuluTrade export them;
        deals or trades of your own (csv, xlsx, json). Up to 50 MB. Importing a file again adds
        nothing.
      </p>
    </div>
  );
}
