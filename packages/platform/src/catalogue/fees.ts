/** Basis points of shares × p × (1 − p) that takers pay when a category has no rate of its own. */
const USUAL_FEE_BPS = 400

/** By main category. World affairs are free, so that it costs nothing to correct prices on war and peace. */
const FEE_BPS: Readonly<Record<string, number>> = { crypto: 700, culture: 500, politics: 400, sports: 300, tech: 400, world: 0 }

/** Taker fee of an imported market by the slug of its main category, 0 … 1000 basis points. */
export const feeBpsOf = (category: string | undefined): number => FEE_BPS[category ?? ''] ?? USUAL_FEE_BPS
