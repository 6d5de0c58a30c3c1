import type { ContrastFault } from '@augury/wire/platform/admin-themes'
import type { ThemeColour, ThemeTokens } from '@augury/wire/platform/theme'
import { contrast, fromOklch, type Rgb, readColour, toHex, toOklch } from './colour.ts'

/** Contrast that WCAG 2.2 AA requires of text, and of the edges of controls and the lines of charts. */
const TEXT = 4.5
const CONTROL = 3
const GROUNDS = ['bg', 'surface', 'surface-2'] as const

interface Need {
  colour: ThemeColour
  on: readonly ThemeColour[]
  ratio: number
}

/** Pairs of colours that must be distinguishable. Plain borders are decoration and are exempt. */
const NEEDS: readonly Need[] = [
  ...(['text', 'text-2', 'text-3', 'brand', 'yes', 'no', 'warn', 'info'] as const).map((colour) => ({ colour, on: GROUNDS, ratio: TEXT })),
  { colour: 'on-brand', on: ['brand'], ratio: TEXT },
  { colour: 'on-yes', on: ['yes'], ratio: TEXT },
  { colour: 'on-no', on: ['no'], ratio: TEXT },
  { colour: 'border-strong', on: GROUNDS, ratio: CONTROL },
  ...(['line-1', 'line-2', 'line-3', 'line-4'] as const).map((colour) => ({ colour, on: ['surface'] as const, ratio: CONTROL })),
]

/** Step of lightness in the search for the nearest passing colour. */
const STEP = 0.004

/** Every pair of a theme with too little contrast; a theme without any may be published. */
export function contrastFaults(tokens: ThemeTokens): ContrastFault[] {
  return (['light', 'dark'] as const).flatMap((scheme) => {
    const rgb = (name: ThemeColour) => readColour(tokens[scheme][name])
    return NEEDS.flatMap(({ colour, on, ratio: needed }) => {
      const grounds = on.map((name) => ({ name, rgb: rgb(name) }))
      const failing = grounds.filter((ground) => contrast(rgb(colour), ground.rgb) < needed)
      if (failing.length === 0) return []
      const nearest = nearestPassing(
        rgb(colour),
        grounds.map((ground) => ground.rgb),
        needed,
      )
      return failing.map((ground) => ({
        scheme,
        colour,
        on: ground.name,
        ratio: Math.floor(contrast(rgb(colour), ground.rgb) * 100) / 100,
        needed,
        nearest,
      }))
    })
  })
}

/**
 * The colour of the same hue that passes on all backgrounds with the smallest change of lightness. Measured as the hex value that is shown.
 */
export function nearestPassing(colour: Rgb, grounds: readonly Rgb[], needed: number): string | null {
  const { l, c, h } = toOklch(colour)
  for (let i = 1; i * STEP <= 1 + STEP; i++) {
    for (const lightness of [Math.max(0, l - i * STEP), Math.min(1, l + i * STEP)]) {
      const hex = toHex(fromOklch({ l: lightness, c, h }))
      if (grounds.every((ground) => contrast(readColour(hex), ground) >= needed)) return hex
    }
  }
  return null
}
