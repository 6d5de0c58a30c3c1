/** Rate limits of a deployment: `limit` calls in the `seconds` that begin with the first, by member, or by client address for signed-out visitors. */
export const webBudgets = {
  /** Pages and what is made like them, by client address, signed in or not: many people may share one. */
  pages: { limit: 1200, seconds: 60 },
  /** Each step of a sign-in. */
  signIn: { limit: 30, seconds: 60 },
  /** E-mails, by client address over all its members; a mailbox and a member have lower limits. */
  letters: { limit: 20, seconds: 3600 },
  /** Changes of one's account, each of which is logged for ever. */
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
  /** Pages of trades, each of which asks the exchange about up to fifty markets. */
  activity: { limit: 240, seconds: 60 },
  /** Images that an admin uploads. */
  uploads: { limit: 60, seconds: 3600 },
  /** Requests to the language model. */
  model: { limit: 30, seconds: 300 },
  /** Quotes of swaps: the provider's limits apply to the whole deployment. */
  swapQuotes: { limit: 20, seconds: 60 },
  swapQuotesOfAddress: { limit: 60, seconds: 60 },
} as const satisfies Record<string, { limit: number; seconds: number }>

/** Name of a budget of the web tier. */
export type WebBudgetName = keyof typeof webBudgets

/** The budget shared by all members of one client address, in addition to each one's own: accounts are free, and their actions cost us. */
export const budgetsOfAddress: Partial<Record<WebBudgetName, WebBudgetName>> = {
  account: 'accountOfAddress',
  credentials: 'credentialsOfAddress',
  comments: 'commentsOfAddress',
  swapQuotes: 'swapQuotesOfAddress',
}
