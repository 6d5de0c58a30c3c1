import type { SettingsGroup } from '@augury/wire/platform/settings'

/** Presentation of a setting. */
export interface SettingField {
  name: string
  label: string
  kind:
    | 'text'
    | 'long'
    | 'lines'
    | 'number'
    | 'toggle'
    | 'secret'
    | 'locales'
    | 'locale'
    | 'image'
    | 'svg'
    | 'events'
    | 'texts'
    | 'tone'
    | 'moment'
  hint?: string
  most?: number
}

/** A page of settings. */
export interface SettingsPage {
  title: string
  lead: string
  fields: readonly SettingField[]
}

const link = (name: string, label: string): SettingField => ({ name, label, kind: 'text', most: 2048 })

/** Every group of settings as a page. */
export const settingsPages: Readonly<Record<SettingsGroup, SettingsPage>> = {
  general: {
    title: 'Identity and links',
    lead: 'The site’s name, icons and links. Changes apply at once.',
    fields: [
      { name: 'siteName', label: 'Name', kind: 'text', most: 80 },
      { name: 'siteDescription', label: 'Description', kind: 'text', most: 180, hint: 'For search engines and shared links.' },
      {
        name: 'logoMode',
        label: 'Logo',
        kind: 'image',
        hint: 'PNG, JPEG, WebP or SVG, up to 2 MB. It is re-encoded, so that hidden content of the file is removed.',
      },
      { name: 'pwaIcon192Path', label: 'App icon', kind: 'image', hint: 'A square picture. It is scaled to 192 and 512 pixels.' },
      { name: 'supportUrl', label: 'Support', kind: 'text', most: 2048, hint: 'Web address where members get help.' },
      {
        name: 'depositText',
        label: 'How members add funds',
        kind: 'long',
        most: 1000,
        hint: 'Shown under Money, outside a sandbox: where to pay, how to name the account, how long it takes. You credit deposits by hand. Do not promise an address that you do not control.',
      },
      {
        name: 'termsUrl',
        label: 'Terms of service',
        kind: 'text',
        most: 2048,
        hint: 'Web address of your own terms. They take precedence over those of the guide, and every page links to them.',
      },
      link('twitterLink', 'X'),
      link('discordLink', 'Discord'),
      link('youtubeLink', 'YouTube'),
      link('instagramLink', 'Instagram'),
      link('facebookLink', 'Facebook'),
      link('tiktokLink', 'TikTok'),
      link('linkedinLink', 'LinkedIn'),
      {
        name: 'googleAnalyticsId',
        label: 'Analytics',
        kind: 'text',
        most: 120,
        hint: 'A measurement id such as G-ABC123. Visits of guides, changelog and status are counted, of readers who agreed; never where people trade, and never in a sandbox.',
      },
      {
        name: 'walletConnectProjectId',
        label: 'WalletConnect project',
        kind: 'text',
        most: 32,
        hint: 'Project id from dashboard.reown.com, 32 hex digits. With it people can sign in with the wallet on their phone. Pages may then reach the relay of WalletConnect, and load its program once a visitor chooses it. Empty: WALLETCONNECT_PROJECT_ID, if set.',
      },
      {
        name: 'feeRecipientWallet',
        label: 'Fee recipient',
        kind: 'text',
        most: 42,
        hint: 'The account on the exchange that receives the taker fees of this site, less the shares of affiliates, from the next order on. Empty: the deployment’s own wallet, see System. Fees of orders sent directly to the exchange go to the creator of the market.',
      },
      {
        name: 'marketCreators',
        label: 'Market creators',
        kind: 'lines',
        hint: 'One wallet a line. Only their markets are shown. Without any, only the deployment’s own.',
      },
    ],
  },
  ai: {
    title: 'Writing help',
    lead: 'A language model that drafts rules and looks for mistakes. A person accepts every text. It is off without a key.',
    fields: [
      {
        name: 'apiKey',
        label: 'Key',
        kind: 'secret',
        hint: 'Of OpenRouter, or of the service at OPENROUTER_URL. It is stored encrypted and never shown again.',
      },
      { name: 'model', label: 'Model', kind: 'text', most: 160, hint: 'Empty: the service chooses.' },
      { name: 'systemPrompt', label: 'House style', kind: 'long', most: 6000, hint: 'Sent to the model before every task.' },
      { name: 'maxTokens', label: 'Longest answer, in tokens', kind: 'number' },
      { name: 'dailyBudget', label: 'Most to spend in a day, in US dollars', kind: 'number' },
      { name: 'marketContextEnabled', label: 'Explain markets to readers', kind: 'toggle' },
      { name: 'marketContextPrompt', label: 'How to explain them', kind: 'long', most: 6000 },
    ],
  },
  swap: {
    title: 'Swap and bridge',
    lead: 'Quotes for deposits in other coins and from other chains.',
    fields: [
      { name: 'apiKey', label: 'Key', kind: 'secret', hint: 'It is stored encrypted and never shown again.' },
      { name: 'integrator', label: 'Integrator', kind: 'text', most: 120 },
    ],
  },
  affiliate: {
    title: 'Fees and affiliates',
    lead: 'The taker fee of new markets, and the share of it for the affiliate. Makers pay nothing.',
    fields: [
      { name: 'tradeFeeBps', label: 'Fee, in basis points of shares × price × (1 − price)', kind: 'number' },
      { name: 'affiliateShareBps', label: 'Share of affiliates, in basis points of the fee', kind: 'number' },
    ],
  },
  resolution: {
    title: 'Results',
    lead: 'How results of markets are decided. A proposal is open to objections for a while; then it becomes final and winners are paid. Two admins are two wallets of ADMIN_WALLETS: whom an admin let in counts as that admin. To switch the rule off, both save that within a day.',
    fields: [
      {
        name: 'secondAdmin',
        label: 'A result takes two admins: what one proposed becomes final only when another says so',
        kind: 'toggle',
      },
    ],
  },
  home: {
    title: 'Front page',
    lead: 'Events that come first, regardless of volume: the first one leads the page with its chart, the others lead the list. Ended events are removed automatically.',
    fields: [{ name: 'pinned', label: 'First on the front page', kind: 'events' }],
  },
  announcement: {
    title: 'Announcement',
    lead: 'A text at the top of every page: planned maintenance, a delay, news. Empty: no announcement.',
    fields: [
      { name: 'texts', label: 'Text', kind: 'texts', most: 300, hint: 'A language without a text shows that of the default language.' },
      { name: 'tone', label: 'It is a warning', kind: 'tone' },
      link('link', 'Where to read more'),
      { name: 'until', label: 'Until, in UTC', kind: 'moment', hint: 'Empty: until you remove it.' },
    ],
  },
  locales: {
    title: 'Languages',
    lead: 'The languages of the site, and the default for browsers that ask for none of them.',
    fields: [
      { name: 'enabledLocales', label: 'Offered', kind: 'locales' },
      { name: 'defaultLocale', label: 'Unless asked otherwise', kind: 'locale' },
      {
        name: 'automaticTranslations',
        label: 'Translate titles of events and names of categories with AI, once they are made or renamed here',
        kind: 'toggle',
      },
    ],
  },
}

/** Languages, by their own names. */
export const localeNames: Readonly<Record<string, string>> = { en: 'English', es: 'Español', ar: 'العربية' }
