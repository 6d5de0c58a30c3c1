/**
 * The key of an event if it may be a single-key shortcut; null while typing, while a dialog other than the ticket is open, with a modifier, or if
 * the reader has turned them off.
 */
export function singleKey(event: KeyboardEvent): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null
  if (document.documentElement.dataset.keys === 'off') return null
  if ((event.target as Element).closest('input, select, textarea')) return null
  return document.querySelector('dialog[open]:not([data-ticket])') ? null : event.key
}
