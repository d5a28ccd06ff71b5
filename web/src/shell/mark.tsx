/** The load line: a circle with a line through it. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="9" />
      <path d="M2 16h28" />
    </svg>
  );
}
