import { ONE } from '@augury/units/price'
import {
  type AutoscaleInfo,
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IPriceLine,
  LineStyle,
  type SeriesMarker,
  TickMarkType,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { DrawnCandle } from './candles.ts'

/** An own order on a chart: its price in steps of the shown token, and what is said of it. */
export interface OrderLine {
  id: string
  price: number
  words: string
  buys: boolean
}

/** An own fill on a chart: its time in Unix seconds, and its price in steps of the shown token. */
export interface FillMark {
  t: number
  price: number
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

/** An own order this near to the candles, in steps, is in sight; one that is farther away would leave the candles no height. */
const NEAR = 1500

/** Widens the scale of the candles to the own orders near them. */
function withOrders(scale: AutoscaleInfo | null, orders: readonly OrderLine[]): AutoscaleInfo | null {
  if (!scale?.priceRange) return scale
  const { minValue, maxValue } = scale.priceRange
  const near = orders.map(({ price }) => price / ONE).filter((price) => price >= minValue - NEAR / ONE && price <= maxValue + NEAR / ONE)
  return { ...scale, priceRange: { minValue: Math.min(minValue, ...near), maxValue: Math.max(maxValue, ...near) } }
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
  let orders: readonly OrderLine[] = []
  const candles = chart.addSeries(CandlestickSeries, {
    ...{ upColor: colour('--yes'), wickUpColor: colour('--yes'), borderVisible: false },
    ...{ downColor: colour('--no'), wickDownColor: colour('--no') },
    autoscaleInfoProvider: (own: () => AutoscaleInfo | null) => withOrders(own(), orders),
    priceFormat: { type: 'custom', minMove: 0.0001, formatter: (price: number) => look.price(Math.round(price * ONE)) },
  })
  const volume = chart.addSeries(HistogramSeries, { priceScaleId: 'volume', lastValueVisible: false, priceLineVisible: false })
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } })
  let lines: IPriceLine[] = []
  const marks = createSeriesMarkers(candles, [])
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
      orders = given
      for (const line of lines) candles.removePriceLine(line)
      lines = given.map(({ price, buys }) =>
        candles.createPriceLine({
          ...{ price: price / ONE, title: '', color: colour(buys ? '--yes' : '--no') },
          ...{ lineWidth: 1, lineStyle: LineStyle.Dashed, axisLabelVisible: false },
        }),
      )
    },
    /** Shows own fills on the candles within which they happened; `step` is the length of a candle in seconds. */
    fills(given: readonly FillMark[], step: number): void {
      const shown = given.map(
        ({ t, price, buys }): SeriesMarker<UTCTimestamp> => ({
          ...{ time: (Math.floor(t / step) * step) as UTCTimestamp, position: 'atPriceMiddle', price: price / ONE },
          ...{ shape: buys ? 'arrowUp' : 'arrowDown', color: colour(buys ? '--yes' : '--no'), size: 1 },
        }),
      )
      marks.setMarkers(shown.toSorted((a, b) => a.time - b.time))
    },
    /** Returns where a price is, in pixels from above; null where there is no scale yet. */
    down: (steps: number): number | null => candles.priceToCoordinate(steps / ONE),
    /** Returns the price in steps at a place, in pixels from above. */
    priceAt(y: number): number | null {
      const price = candles.coordinateToPrice(y)
      return price === null ? null : Math.round(price * ONE)
    },
    remove: () => chart.remove(),
  }
}
