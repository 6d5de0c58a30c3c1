/**
 * Puts a text into the clipboard; over plain HTTP, where browsers offer no other way, as a text that is selected. False where it could not be
 * done: the visitor then copies it by hand.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null
  const field = document.createElement('textarea')
  field.className = 'visually-hidden'
  field.value = text
  // What stands outside an open dialog cannot be selected.
  const place = document.querySelector('dialog:modal') ?? document.body
  place.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  focused?.focus()
  return isDone
}
