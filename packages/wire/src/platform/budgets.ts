/** How many calls of a kind a deployment lets a member make, or an address where nobody is signed in, in any window of `seconds`. */
export const webBudgets = {
  /** Each step of a sign-in. */
  signIn: { limit: 30, seconds: 60 },
  /** Letters, by the address that asks for them, whoever of its members does: one mailbox and one member may have fewer still. */
  letters: { limit: 20, seconds: 3600 },
  /** Changes of one's account: each is written down for ever. */
  account: { limit: 30, seconds: 60 },
  accountOfAddress: { limit: 120, seconds: 60 },
  /** Enabling trading, and disabling it. */
  credentials: { limit: 10, seconds: 60 },
  credentialsOfAddress: { limit: 40, seconds: 60 },
  /** Orders and cancels, before the exchange's own budgets. */
  trading: { limit: 300, seconds: 60 },
  /** Comments, likes and reports. */
  comments: { limit: 30, seconds: 60 },
  commentsOfAddress: { limit: 120, seconds: 60 },
  /** Searches for people. */
  search: { limit: 60, seconds: 60 },
  /** Images that an admin uploads. */
  uploads: { limit: 60, seconds: 3600 },
  /** Questions to the model. */
  model: { limit: 30, seconds: 300 },
  /** Questions what a swap would bring: the service's own limits are the whole deployment's. */
  swapQuotes: { limit: 20, seconds: 60 },
  swapQuotesOfAddress: { limit: 60, seconds: 60 },
} as const satisfies Record<string, { limit: number; seconds: number }>

/** Name of a budget of the web tier. */
export type WebBudgetName = keyof typeof webBudgets

/** Which budget all members of one address have together besides their own: members cost nothing, and what they do is kept or paid for. */
export const budgetsOfAddress: Partial<Record<WebBudgetName, WebBudgetName>> = {
  account: 'accountOfAddress',
  credentials: 'credentialsOfAddress',
  comments: 'commentsOfAddress',
  swapQuotes: 'swapQuotesOfAddress',
}
