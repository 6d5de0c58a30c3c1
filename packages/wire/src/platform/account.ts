import { z } from 'zod'
import { listedKey } from '../credentials.ts'
import { operation } from '../operation.ts'
import { micros } from '../scalars.ts'
import { approval, proofRefused } from './approval.ts'
import { answering } from './asks-exchange.ts'
import { USERNAME, user } from './user.ts'

const iso = z.iso.datetime()
const success = z.object({ success: z.literal(true) })
const change = { method: 'POST', auth: 'member', budget: 'account', repeatable: true } as const

/** Kinds of notifications that a member may mute; those about the account's security cannot be muted. */
const mutable = z.enum(['trade', 'result', 'answer', 'general'])

/** Lengths in hours of a break from trading that a member may take. */
const BREAKS = [24, 168, 720] as const

/**
 * A member's own limits. `orderMax` is the most that one buy order may cost, in millionths of a USDC; null is no limit. A limit that was
 * loosened holds until `loosensAt` and then becomes `orderMaxNext`.
 */
const ownLimits = z.object({
  breakUntil: iso.nullable(),
  orderMax: micros.nullable(),
  orderMaxNext: micros.nullable(),
  loosensAt: iso.nullable(),
})

/** A member's preferences. */
export const preferences = z.object({ muted: z.array(mutable), limits: ownLimits })

/** Members' own settings, for the site's pages; tRPC only. */
export const accountOperations = {
  getPreferences: operation({
    method: 'GET',
    auth: 'member',
    repeatable: true,
    path: '/trpc/getPreferences',
    summary: 'What the member chose to be told of, and the bounds they set for themselves.',
    output: preferences,
    refusals: [],
  }),
  listApiKeys: operation({
    method: 'GET',
    auth: 'member',
    repeatable: true,
    path: '/trpc/listApiKeys',
    summary: 'The live API keys of the member’s wallet at the exchange.',
    output: z.array(listedKey),
    refusals: ['trading_not_enabled', ...answering],
  }),
  changeUsername: operation({
    ...change,
    path: '/trpc/changeUsername',
    summary: 'Names the member, or no longer.',
    body: z.strictObject({
      username: z.string().regex(USERNAME, 'expected 3 to 30 letters, digits or underscores').nullable(),
    }),
    output: user,
    refusals: ['username_reserved', 'username_taken'],
  }),
  changeEmail: operation({
    ...change,
    path: '/trpc/changeEmail',
    summary: 'Says where the member may be written to, or nowhere any more; after a fresh proof.',
    body: z.strictObject({ email: z.email().max(254).nullable(), approval: approval.optional() }),
    output: user,
    refusals: ['step_up_required', ...proofRefused],
  }),
  sendEmailVerification: operation({
    ...change,
    repeatable: false,
    path: '/trpc/sendEmailVerification',
    summary: 'Writes to the member’s address: who reads it can confirm the address for an hour.',
    body: z.strictObject({ locale: z.string().max(16).optional() }).default({}),
    output: success,
    refusals: ['email_missing', 'email_not_sent', 'rate_limited', 'unsupported'],
  }),
  confirmEmail: operation({
    ...change,
    auth: 'optional',
    budget: 'signIn',
    repeatable: false,
    path: '/trpc/confirmEmail',
    summary: 'Confirms an email address by the token sent to it.',
    body: z.strictObject({ token: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'expected the token of an email') }),
    output: success,
    refusals: ['email_link_invalid', 'rate_limited'],
  }),
  muteNotifications: operation({
    ...change,
    path: '/trpc/muteNotifications',
    summary: 'Chooses what the member is not told of from now on.',
    body: z.strictObject({ muted: z.array(mutable).max(mutable.options.length) }),
    output: preferences,
    refusals: [],
  }),
  limitOrders: operation({
    ...change,
    path: '/trpc/limitOrders',
    summary: 'Bounds what one buy order may cost. A tighter bound holds at once, a looser one after a day.',
    body: z.strictObject({ orderMax: micros.nullable() }),
    output: preferences,
    refusals: [],
  }),
  takeBreak: operation({
    ...change,
    path: '/trpc/takeBreak',
    summary: 'Keeps the member off trading for some hours. A break can be made longer, never shorter.',
    body: z.strictObject({ hours: z.union([z.literal(BREAKS[0]), z.literal(BREAKS[1]), z.literal(BREAKS[2])]) }),
    output: preferences,
    refusals: [],
  }),
} as const

export type Preferences = z.output<typeof preferences>
export type OwnLimits = z.output<typeof ownLimits>
