import { runEngineBook } from './engine-book.ts'
import type { Row } from './row.ts'
import { bookRows } from './rows/book-alone.ts'
import { bookBatches } from './rows/book-batches.ts'
import { bundleSizes } from './rows/bundle-sizes.ts'
import { cancels } from './rows/cancels.ts'
import { commitCosts } from './rows/commit-costs.ts'
import { depositBlock, gasOfMoney, tradeable } from './rows/deposits.ts'
import { cachedEvents, uncachedEvents } from './rows/event-lists.ts'
import { fanOut } from './rows/fan-out.ts'
import { frameworks } from './rows/frameworks.ts'
import { greedyClients } from './rows/greedy-clients.ts'
import { growth } from './rows/growth.ts'
import { journalStart, projector } from './rows/journal-start.ts'
import { coldSeries, warmSeries } from './rows/live-series.ts'
import { memory, recovery } from './rows/million-orders.ts'
import { namedOrders } from './rows/named-orders.ts'
import { orderParts } from './rows/order-parts.ts'
import { orderToStream } from './rows/order-to-stream.ts'
import { sessionChecks, signIns } from './rows/people.ts'
import { plainOrders } from './rows/plain-orders.ts'
import { searches } from './rows/searches.ts'
import { simulatedCommands } from './rows/simulated-commands.ts'
import { sitePages } from './rows/site-pages.ts'
import { socketOrders } from './rows/socket-orders.ts'
import { startTimes } from './rows/start-times.ts'
import { syncRuns } from './rows/sync-runs.ts'
import { walletOrders } from './rows/wallet-orders.ts'
import { wholeExchange } from './rows/whole-exchange.ts'
import { yearChart } from './rows/year-chart.ts'

/** Every row that can be measured, in the order of the table of targets. */
export const rows: readonly Row[] = [
  ...bookRows(runEngineBook),
  wholeExchange,
  memory,
  recovery,
  plainOrders,
  namedOrders,
  socketOrders,
  greedyClients,
  commitCosts,
  orderParts,
  frameworks,
  cancels,
  walletOrders,
  bookBatches,
  sitePages,
  fanOut,
  orderToStream,
  journalStart,
  projector,
  simulatedCommands,
  startTimes,
  bundleSizes,
  growth,
  cachedEvents,
  warmSeries,
  uncachedEvents,
  searches,
  coldSeries,
  signIns,
  sessionChecks,
  syncRuns,
  yearChart,
  tradeable,
  depositBlock,
  gasOfMoney,
]
