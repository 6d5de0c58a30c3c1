/**
 * The second half of a double click belongs to what its first half pressed. Where another button stands in that place by then, as the yes to
 * the question that the first one asked, it is not pressed.
 */
export function guardDoubleClicks(page: Document): void {
  let first: Element | null = null
  const onClick = (event: MouseEvent) => {
    const pressed = event.target instanceof Element ? event.target.closest('button, a') : null
    if (event.detail < 2) first = pressed
    else if (pressed !== first) {
      event.preventDefault()
      event.stopPropagation()
    }
  }
  page.addEventListener('click', onClick, { capture: true })
}

/** A press that begins and ends beside a dialog with `closedby="any"` closes it, also in browsers that do not know the attribute. */
export function closeBeside(page: Document): void {
  if ('closedBy' in HTMLDialogElement.prototype) return
  let begun: EventTarget | null = null
  page.addEventListener('pointerdown', (event) => {
    begun = isBeside(event) ? event.target : null
  })
  page.addEventListener('click', (event) => {
    if (event.target !== begun || !isBeside(event)) return
    const dialog = event.target
    // As Escape does: what hears of it may have it close later.
    if (dialog.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close()
  })
}

/** Whether a press meets what lies behind an open dialog. */
function isBeside(event: MouseEvent): event is MouseEvent & { target: HTMLDialogElement } {
  const { target, clientX: x, clientY: y } = event
  if (!(target instanceof HTMLDialogElement) || target.getAttribute('closedby') !== 'any') return false
  const { left, right, top, bottom } = target.getBoundingClientRect()
  return x < left || x > right || y < top || y > bottom
}
