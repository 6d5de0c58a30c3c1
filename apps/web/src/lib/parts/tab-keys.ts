/** On a list of tabs: the arrows go from one to the next, Home and End to the ends. The Tab key reaches the chosen one alone. */
export function tabKeys(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')]
  const back = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
  const at = tabs.findIndex((tab) => tab.ariaSelected === 'true')
  const to = event.key === back ? at - 1 : /^Arrow(Left|Right)$/.test(event.key) ? at + 1 : { Home: 0, End: -1 }[event.key]
  const next = to === undefined ? undefined : tabs.at(to % tabs.length)
  if (!next) return
  event.preventDefault()
  next.click()
  next.focus()
}
