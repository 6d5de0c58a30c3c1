import { z } from 'zod'
import { venueOperation } from '../operation.ts'
import { page } from '../page.ts'
import { balanceProof, fact, leafPiece, postedRoot, proofKeyView, rootWeight } from '../proof.ts'
import { cursor, pageSize, signedQuery, strictQuery } from '../query.ts'
import { seq } from '../scalars.ts'

const read = { method: 'GET', auth: 'public', repeatable: true } as const
const rootNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'expected the number of a root')
  .transform(Number)

export const proofOperations = {
  listStateRoots: venueOperation({
    ...read,
    path: '/proof/roots',
    summary: 'Signed roots of the state, one an hour, newest first.',
    query: strictQuery({ limit: pageSize(), next_cursor: cursor.optional() }),
    output: page(postedRoot),
    refusals: [],
    cost: 'read-many',
    shed: 'ordinary',
  }),
  getStateRoot: venueOperation({
    ...read,
    path: '/proof/roots/{n}',
    summary: 'One signed root of the state, by its number or as `latest`.',
    params: z.object({ n: z.union([z.literal('latest'), rootNumber]) }),
    output: postedRoot,
    refusals: ['not_found'],
    cost: 'look-up',
    shed: 'ordinary',
  }),
  listProofKeys: venueOperation({
    ...read,
    path: '/proof/keys',
    summary: 'Public keys that signed roots, newest first, and which roots they signed.',
    output: z.array(proofKeyView),
    refusals: [],
    cost: 'look-up',
    shed: 'ordinary',
  }),
  listFacts: venueOperation({
    ...read,
    path: '/proof/facts',
    summary: 'All facts after a position in the log, oldest first, without names. Books and balances can be rebuilt from them.',
    query: strictQuery({ after: z.coerce.number().pipe(seq).default(0), limit: pageSize(5000, 1000) }),
    // `seq`: the page is complete up to here; continue after it.
    output: z.object({ data: z.array(fact), seq }),
    refusals: ['not_found', 'rate_limited'],
    cost: 'read-many',
    shed: 'ordinary',
    rateLimit: { budget: 'facts', of: 'address' },
  }),
  listRootLeaves: venueOperation({
    ...read,
    path: '/proof/roots/{n}/leaves',
    summary:
      'All leaves of one of the newest 24 roots, or of a root in a vault, without names. With them, the proof of any balance can be made without the exchange.',
    params: z.object({ n: rootNumber }),
    query: strictQuery({ next_cursor: cursor.optional() }),
    output: page(leafPiece),
    refusals: ['not_found', 'rate_limited'],
    cost: 'read-many',
    shed: 'ordinary',
    rateLimit: { budget: 'facts', of: 'address' },
  }),
  listRootWeights: venueOperation({
    ...read,
    path: '/proof/roots/{n}/weights',
    summary: 'What outcome tokens pay at a root if no result is ever reported. A root on a chain commits to it.',
    params: z.object({ n: rootNumber }),
    output: z.array(rootWeight),
    refusals: ['not_found', 'rate_limited'],
    cost: 'read-many',
    shed: 'ordinary',
    rateLimit: { budget: 'facts', of: 'address' },
  }),
  getBalanceProof: venueOperation({
    ...read,
    auth: 'read',
    path: '/proof/balance',
    summary: 'What you had at a signed root, of every asset, with the proof that the root counts it.',
    query: signedQuery({ root: rootNumber.optional() }),
    output: balanceProof,
    refusals: ['not_found'],
    cost: 'read-many',
    shed: 'ordinary',
  }),
}
