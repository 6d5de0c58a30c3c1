/** Messages are functions before the first test runs, also on a fresh clone. */
export async function setup(): Promise<void> {
  await import('../scripts/messages.ts')
}
