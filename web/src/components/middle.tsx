/** Shorter names are cut at their end, if at all. */
const LEAST = 16;
const TAIL = 8;

/** A name on one line that is cut in its middle: of many, the ends tell which one it is. */
export function Middle({ text }: { text: string }) {
  if (text.length < LEAST) return <span className="middle-head">{text}</span>;
  return (
    <span className="middle" title={text}>
      <span className="middle-head">{text.slice(0, -TAIL)}</span>
      <span className="middle-tail">{text.slice(-TAIL)}</span>
    </span>
  );
}
