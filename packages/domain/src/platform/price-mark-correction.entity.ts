import { defineEntity, p } from '@mikro-orm/core'
import { referencePriceColumn } from '../columns.ts'
import { PRICE_INTERVALS, PRICE_SOURCES } from './price-series.entity.ts'

export const priceMarkCorrectionSchema = defineEntity({
  name: 'PriceMarkCorrection',
  tableName: 'price_mark_correction',
  checks: [{ name: 'price_mark_correction_changes', expression: 'new_price <> old_price' }],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    source: p.enum(PRICE_SOURCES),
    instrument: p.text(),
    interval: p.enum(PRICE_INTERVALS),
    windowEnd: p.datetime(3),
    oldPrice: referencePriceColumn(),
    newPrice: referencePriceColumn(),
    noticedAt: p.datetime(3),
  },
})

/** A source corrected its price of a window. */
export class PriceMarkCorrection extends priceMarkCorrectionSchema.class {}
priceMarkCorrectionSchema.setClass(PriceMarkCorrection)
