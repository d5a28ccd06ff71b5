export type BarColumn = {
  key: string;
  /** Under the bar. */
  label: string;
  value: number;
  /** Above the bar, if there is room. */
  text?: string;
  /** The full text, shown on hover and read by screen readers. */
  title: string;
};

/** Bars that rise above or hang below zero; their texts are a list for screen readers. */
export function BarColumns(props: { label: string; unit: string; items: BarColumn[] }) {
  const { items } = props;
  const highest = Math.max(0, ...items.map(({ value }) => value));
  const lowest = Math.min(0, ...items.map(({ value }) => value));
  const spread = highest - lowest || 1;
  const zero = (highest / spread) * 100;
  const isDense = items.length > 13;
  return (
    <figure className="columns">
      <div className={`columns-plot ${isDense ? 'columns-dense' : ''}`} aria-hidden="true">
        {items.map((item) => {
          const height = (Math.abs(item.value) / spread) * 100;
          const top = item.value < 0 ? zero : zero - height;
          return (
            <div key={item.key} className="column" title={item.title}>
              <div className="column-area">
                <span className="column-zero" style={{ top: `${zero}%` }} />
                <span
                  className={`column-bar ${item.value < 0 ? 'column-loss' : 'column-win'}`}
                  style={{ top: `${top}%`, height: `${height}%` }}
                />
              </div>
              <span className="column-label">{item.label}</span>
              {item.text && !isDense ? <span className="column-text">{item.text}</span> : null}
            </div>
          );
        })}
      </div>
      <figcaption className="visually-hidden">
        {props.label}
        <ul>
          {items.map((item) => (
            <li key={item.key}>{item.title}</li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}
