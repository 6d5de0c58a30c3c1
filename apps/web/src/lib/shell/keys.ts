/**
 * The key of an event where it means something by itself, and null where it does not: while somebody types, while a dialog other than the
 * ticket is open, with a modifier, and for whoever has turned single keys off.
 */
export function singleKey(event: KeyboardEvent): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null
  if (document.documentElement.dataset.keys === 'off') return null
  if ((event.target as Element).closest('input, select, textarea')) return null
  return document.querySelector('dialog[open]:not([data-ticket])') ? null : event.key
}
