import { NoAnswerError } from '@augury/client/answer'
import type { SignedRoot } from '@augury/wire/proof'

/** The roots after a refresh. Throws a `NoAnswerError` where they were not read: without its root a good proof would look like a false one. */
export async function freshRoots(
  refresh: () => Promise<boolean>,
  read: () => readonly SignedRoot[] | null,
): Promise<readonly SignedRoot[]> {
  const roots = (await refresh()) ? read() : null
  if (roots === null) throw new NoAnswerError('the roots were not read')
  return roots
}
