/** How much of a file has been sent. */
export function Sending({ sent }: { sent: number }) {
  const percent = Math.round(sent * 100);
  return (
    <div role="status">
      <progress className="progress" max={100} value={percent} aria-label="Sent" />
      <p className="hint">{percent < 100 ? `${percent} % sent` : 'Reading the statement …'}</p>
    </div>
  );
}
