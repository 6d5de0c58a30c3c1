/** Name of a user for admins: username or shortened address; null stands for the deployment itself. */
export const nameOf = (who: { username: string | null; address: string } | null): string =>
  who === null ? 'the deployment' : (who.username ?? `${who.address.slice(0, 6)}…${who.address.slice(-4)}`)
