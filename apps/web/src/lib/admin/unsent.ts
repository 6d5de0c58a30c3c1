/** What of the fields that were typed is not what was sent: written while that was on its way, it is still to be saved. */
export const unsent = <Fields extends object>(typed: Fields, sent: Fields): Fields =>
  Object.fromEntries(
    Object.entries(typed).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name as keyof Fields])),
  ) as Fields
