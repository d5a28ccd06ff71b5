/** Whether a key is text for a field, a command of the browser, or for an open dialog. */
export function isKeyTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  const target = event.target instanceof Element ? event.target : undefined;
  const types = 'textarea, select, [contenteditable], input:not([type="radio"], [type="checkbox"])';
  return target?.closest(types) != null || document.querySelector('dialog[open]') !== null;
}
