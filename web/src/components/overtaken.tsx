/** Shown to users who changed a field that someone else has changed since: see useEdits. */
export function Overtaken<K extends PropertyKey>(props: {
  fields: readonly K[];
  /** Its current value, in a sentence without its stop. */
  say: (field: K) => string;
}) {
  const sentences = [...new Set(props.fields.map(props.say))];
  if (sentences.length === 0) return null;
  return (
    <p className="note note-warn" role="status">
      {sentences.join('. ')}. What you save replaces what somebody else saved meanwhile.
    </p>
  );
}
