/** A change for users of the site or its API. */
export interface Change {
  /** Fragment of its URL. */
  id: string
  /** Day of the release, ISO. */
  day: string
  title: string
  texts: string[]
}

/** Changes, latest first. Removals of operations and fields are announced here a release before. */
export const changes: readonly Change[] = [
  {
    id: 'steady',
    day: '2026-11-22',
    title: 'At your desk and on your phone',
    texts: [
      'Each event has a mode to trade by (press t), is saved and shared at its head, and tells what was changed of its rules.',
      'Verify: every hour the exchange signs what it owes, and your browser checks that your balance is counted.',
      'Your portfolio and your money are shown while the exchange is away, and what is pressed twice is done once.',
      'Your profile shows your own side of each trade; the status page says what you can do at this moment.',
      'The operator may tell everybody something at the head of every page; links to a category that was renamed or merged lead on.',
      'A press anywhere on a row of the order book picks its price, in Safari too; pages follow the size of letters your browser is set to.',
      'An e-mail to be written to, confirmed by a letter. Tables are cards on a phone, and Yes and No are named in your language.',
      'API: lists by position (GET /events and two of operators) tell the timeline of their end, and of where they were asked to begin.',
      'API: splits, merges, conversions and gifts of the faucet may be named, and are made once under their name.',
      'History has rebates and rewards too, so that it adds up to your cash; what you converted counts what its answers made of it.',
      'Programs that read text find the site at /llms.txt, and every event and guide at its address with .md.',
      'A position costs what its shares cost: what you bought and sold before counts as realised, and no more in the average.',
    ],
  },
  {
    id: 'account',
    day: '2026-11-20',
    title: 'An account of one’s own',
    texts: [
      'Settings for name, notifications, security, devices, API keys and limits that one sets for oneself.',
      'The site speaks English, Spanish and Arabic, opens without a network, and has a palette at Ctrl K.',
      'Leaderboard, public profiles, activity of all markets, and what is saved, also without an account.',
      'Guides and a reference of the API with calls to copy.',
      'API: GET /auth/api-keys also tells name, scope, creation and last use of each key.',
    ],
  },
  {
    id: 'trading',
    day: '2026-11-20',
    title: 'Trading on the site',
    texts: [
      'Order ticket with a preview from the live book, portfolio, deposits and withdrawals.',
      'Sign-in by wallet with a second factor; orders are signed on the server after one signature of the wallet.',
    ],
  },
  {
    id: 'opening',
    day: '2026-11-20',
    title: 'The exchange opens',
    texts: ['Order book with limit and market orders over REST, tRPC and sockets.', 'A client in TypeScript, and the command line.'],
  },
]
