import { runEngineBook } from './engine-book.ts'
import type { Row } from './row.ts'
import { bookRows } from './rows/book-alone.ts'
import { bundleSizes } from './rows/bundle-sizes.ts'
import { startTimes } from './rows/start-times.ts'
import { wholeExchange } from './rows/whole-exchange.ts'

/** Every row that can be measured, in the order of the table of targets. */
export const rows: readonly Row[] = [...bookRows(runEngineBook), wholeExchange, startTimes, bundleSizes]
