import { z } from 'zod'
import { address } from '../scalars.ts'
import { shownText } from '../text.ts'

/** Supported languages; the settings say which of them the site offers. */
export const LOCALES = ['en', 'es', 'ar'] as const
/** A language of the site. */
export const locale = z.enum(LOCALES)
export type Locale = z.output<typeof locale>

const link = z
  .string()
  .trim()
  .max(2048)
  .transform((text) => (text === '' || /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`))
  .pipe(z.union([z.literal(''), z.url({ protocol: /^https?$/, error: 'expected a web address' }).max(2048)]))
/** Path of a picture on the site itself, as pages show no others. No part of it leads up, is hidden or is empty. */
const path = z
  .string()
  .max(256)
  .regex(/^(\/?[\w-]+(\.[\w-]+)*(\/[\w-]+(\.[\w-]+)*)*)?$/, 'expected a path on this site, such as that of an upload')
  .transform((text) => (text === '' || text.startsWith('/') ? text : `/${text}`))
  .pipe(z.string().max(256))
const text = (most: number) => shownText(most).trim()
const noAddress = z.literal('')

/** Addresses, one a line or as a list. */
const addressLines = z
  .union([z.array(z.string()), z.string().transform((lines) => lines.split(/[\s,]+/).filter(Boolean))])
  .transform((addresses) => [...new Set(addresses.map((each) => each.trim().toLowerCase()))])
  .pipe(z.array(address).max(500))

/** General settings: brand and integrations. */
const generalSettings = {
  siteName: text(80).min(1),
  siteDescription: text(180),
  logoMode: z.enum(['image', 'svg']),
  /** Stored as sanitised. */
  logoSvg: z.string().max(100_000),
  logoImagePath: path,
  pwaIcon192Path: path,
  pwaIcon512Path: path,
  googleAnalyticsId: z
    .string()
    .trim()
    .max(120)
    .regex(/^(G-[A-Z0-9]+)?$/, 'expected a measurement id such as G-ABC123'),
  /** Project id of WalletConnect; empty for that of the environment, if any. */
  walletConnectProjectId: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^([0-9a-f]{32})?$/, 'expected a project id: 32 hex digits'),
  discordLink: link,
  twitterLink: link,
  facebookLink: link,
  instagramLink: link,
  tiktokLink: link,
  linkedinLink: link,
  youtubeLink: link,
  supportUrl: link,
  /** How members pay in, in the operator's words; shown outside a sandbox. */
  depositText: text(1000),
  /** Terms of the operator’s own, beside those of the guides. */
  termsUrl: link,
  feeRecipientWallet: z.union([noAddress, address]),
  /** Only markets of these creators are shown; empty means the deployment’s own. */
  marketCreators: addressLines,
}

/** The language model that assists with texts. An empty model lets the provider choose. */
const aiSettings = {
  model: text(160),
  systemPrompt: text(6000),
  maxTokens: z.int().min(100).max(8000),
  marketContextEnabled: z.boolean(),
  marketContextPrompt: text(6000).min(20),
  /** Spending limit in US dollars a day. */
  dailyBudget: z.number().min(0).max(1000),
}

/** The provider that swaps and bridges deposits. */
const swapSettings = {
  integrator: z
    .string()
    .trim()
    .max(120)
    .regex(/^[\w.-]*$/, 'expected letters, digits, dots and hyphens'),
}

/** Trading fees, and the referrers' share of them. */
const affiliateSettings = {
  /** Basis points of shares × price × (1 − price); applies to new markets. */
  tradeFeeBps: z.int().min(0).max(1000),
  /** Basis points of the fee. */
  affiliateShareBps: z.int().min(0).max(10_000),
}

/** How markets are resolved. */
const resolutionSettings = {
  /** Whether an admin's proposal becomes final only through another admin, and never by time. */
  secondAdmin: z.boolean(),
}

/** Content of the front page. */
const homeSettings = {
  /** Slugs of pinned events: the first leads the page, the others lead its list. Ended and hidden ones are left out. */
  pinned: z
    .array(
      z
        .string()
        .max(200)
        .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'expected the slug of an event'),
    )
    .max(8)
    .refine((slugs) => new Set(slugs).size === slugs.length, 'an event is there once'),
}

/** The announcement at the top of every page. */
const announcementSettings = {
  /** Text by language, falling back to the site's own language, then to any. Without a text there is no announcement. */
  texts: z.partialRecord(locale, text(300)),
  tone: z.enum(['info', 'warning']),
  /** Link to more information; may be empty. */
  link,
  /** When it ends; empty if it stays until removed. */
  until: z.union([z.literal(''), z.iso.datetime()]),
}

/** Languages. */
const localeSettings = {
  enabledLocales: z.array(locale).min(1).max(LOCALES.length),
  defaultLocale: locale,
  /** Whether the model translates titles of events and names of categories when they are made or renamed, unless a person did. */
  automaticTranslations: z.boolean(),
}

/** The groups of settings, by name. */
export const settingsGroups = {
  general: z.strictObject(generalSettings),
  ai: z.strictObject(aiSettings),
  swap: z.strictObject(swapSettings),
  affiliate: z.strictObject(affiliateSettings),
  resolution: z.strictObject(resolutionSettings),
  home: z.strictObject(homeSettings),
  announcement: z.strictObject(announcementSettings),
  locales: z.strictObject(localeSettings),
} as const

/** Name of a group. */
export type SettingsGroup = keyof typeof settingsGroups
/** Settings of a group. */
export type SettingsOf<G extends SettingsGroup> = z.output<(typeof settingsGroups)[G]>

const MARKET_CONTEXT =
  'You explain a prediction market to readers. Market: [market-title]. Event: [event-title]. Details: [event-description]. It ends on ' +
  '[market-estimated-end-date]; its price says [market-probability]. In at most 120 words say what is being asked, what has happened so far ' +
  'and what to watch. Name no odds of your own, give no advice.'

/** The default settings. */
export const defaultSettings: { readonly [G in SettingsGroup]: SettingsOf<G> } = {
  general: {
    siteName: 'Augury',
    siteDescription: 'An open prediction-market exchange.',
    logoMode: 'svg',
    logoSvg: '',
    logoImagePath: '',
    pwaIcon192Path: '',
    pwaIcon512Path: '',
    googleAnalyticsId: '',
    walletConnectProjectId: '',
    discordLink: '',
    twitterLink: '',
    facebookLink: '',
    instagramLink: '',
    tiktokLink: '',
    linkedinLink: '',
    youtubeLink: '',
    supportUrl: '',
    depositText: '',
    termsUrl: '',
    feeRecipientWallet: '',
    marketCreators: [],
  },
  ai: { model: '', systemPrompt: '', maxTokens: 600, marketContextEnabled: false, marketContextPrompt: MARKET_CONTEXT, dailyBudget: 5 },
  swap: { integrator: '' },
  affiliate: { tradeFeeBps: 400, affiliateShareBps: 5000 },
  resolution: { secondAdmin: false },
  home: { pinned: [] },
  announcement: { texts: {}, tone: 'info', link: '', until: '' },
  locales: { enabledLocales: [...LOCALES], defaultLocale: 'en', automaticTranslations: false },
}
