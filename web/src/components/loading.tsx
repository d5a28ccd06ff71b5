/** Grey lines where text will be. */
export function Loading(props: { label?: string; lines?: number; height?: number | string }) {
  const lines = Array.from({ length: props.lines ?? 3 }, (_, index) => index);
  return (
    <div className="loading" role="status">
      <span className="visually-hidden">{props.label ?? 'Loading'}</span>
      {props.height ? (
        <div className="skeleton" style={{ height: props.height }} />
      ) : (
        lines.map((line) => (
          <div key={line} className="skeleton" style={{ width: `${92 - ((line * 17) % 45)}%` }} />
        ))
      )}
    </div>
  );
}
