import ChanceChart from './ChanceChart.svelte'
import ChartTools from './ChartTools.svelte'

/** A chart that answers: one file, loaded once the page works. Until then the page shows the chart as the server drew it. */
export const liveChart = { ChanceChart, ChartTools }
