import { ONE } from '@augury/units/price'
import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type IPriceLine,
  LineStyle,
  TickMarkType,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { DrawnCandle } from './candles.ts'

/** An own order on a chart: its price in steps of the shown token, and what is said of it. */
export interface OrderLine {
  price: number
  words: string
  buys: boolean
}

/** What a chart of candles is drawn with: the colours of the page, and how prices and times are written. */
interface Look {
  colour: (token: string) => string
  price: (steps: number) => string
  time: (at: number) => string
  /** Below the chart: a time of day, or a day. */
  tick: (at: number, isDay: boolean) => string
}

/** Draws candles and volume into an element, and keeps to its size. Returns how to change and to remove them. */
export function candlePlot(element: HTMLElement, look: Look) {
  const { colour } = look
  const chart = createChart(element, {
    autoSize: true,
    layout: {
      background: { color: 'transparent' },
      textColor: colour('--text-3'),
      fontFamily: 'Inter, sans-serif',
      fontSize: 12,
      attributionLogo: false, // it brings a style element, which the policy of the site forbids: the page has the link
    },
    grid: { vertLines: { visible: false }, horzLines: { color: colour('--border'), style: LineStyle.Dotted } },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0.24 } },
    timeScale: {
      ...{ borderVisible: false, timeVisible: true, secondsVisible: false, rightOffset: 4 },
      tickMarkFormatter: (at: number, type: TickMarkType) => look.tick(at * 1000, type < TickMarkType.Time),
    },
    // Not the browser's own, which may be one that its formats do not know.
    localization: { locale: document.documentElement.lang, timeFormatter: (at: number) => look.time(at * 1000) },
  })
  const candles = chart.addSeries(CandlestickSeries, {
    ...{ upColor: colour('--yes'), wickUpColor: colour('--yes'), borderVisible: false },
    ...{ downColor: colour('--no'), wickDownColor: colour('--no') },
    priceFormat: { type: 'custom', minMove: 0.0001, formatter: (price: number) => look.price(Math.round(price * ONE)) },
  })
  const volume = chart.addSeries(HistogramSeries, { priceScaleId: 'volume', lastValueVisible: false, priceLineVisible: false })
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } })
  let lines: IPriceLine[] = []
  return {
    show(given: readonly DrawnCandle[]): void {
      const quiet = colour('--border-strong')
      candles.setData(
        given.map(({ t, open, high, low, close, lots }) => ({
          ...{ time: t as UTCTimestamp, open: open / ONE, high: high / ONE, low: low / ONE, close: close / ONE },
          ...(lots === 0 ? { color: quiet, wickColor: quiet } : {}),
        })),
      )
      volume.setData(
        given.map(({ t, open, close, lots }) => ({
          ...{ time: t as UTCTimestamp, value: lots / 100, color: colour(close < open ? '--no-bar' : '--yes-bar') },
        })),
      )
    },
    fit: () => chart.timeScale().scrollToRealTime(),
    orders(given: readonly OrderLine[]): void {
      for (const line of lines) candles.removePriceLine(line)
      lines = given.map(({ price, words, buys }) =>
        candles.createPriceLine({
          ...{ price: price / ONE, title: words, color: colour(buys ? '--yes' : '--no') },
          ...{ lineWidth: 1, lineStyle: LineStyle.Dashed, axisLabelVisible: true },
        }),
      )
    },
    remove: () => chart.remove(),
  }
}
