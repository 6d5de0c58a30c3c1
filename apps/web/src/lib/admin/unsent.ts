/** The fields that changed while `sent` was being saved, and are still to be saved. */
export const unsent = <Fields extends object>(typed: Fields, sent: Fields): Fields =>
  Object.fromEntries(
    Object.entries(typed).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name as keyof Fields])),
  ) as Fields
