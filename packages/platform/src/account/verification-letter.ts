import type { Locale } from '@augury/wire/platform/settings'

interface Said {
  subject: (site: string) => string
  text: (site: string, link: string) => string
}

/** The letter in each language of the site. */
const words: Readonly<Record<Locale, Said>> = {
  en: {
    subject: (site) => `Confirm your e-mail for ${site}`,
    text: (site, link) =>
      `This email address was entered on ${site}. If it was you, open this page within an hour and confirm it:\n\n${link}\n\nIf it was not you, do nothing: without your confirmation nothing happens.\n`,
  },
  es: {
    subject: (site) => `Confirma tu correo para ${site}`,
    text: (site, link) =>
      `Alguien, esperamos que tú, ha dado esta dirección a ${site}. Si fuiste tú, abre esta página antes de una hora y confírmala:\n\n${link}\n\nSi no fuiste tú, no hagas nada: sin tu confirmación no pasa nada.\n`,
  },
  ar: {
    subject: (site) => `أكّد بريدك الإلكتروني لدى ${site}`,
    text: (site, link) =>
      `أعطى أحدهم، ونأمل أنه أنت، هذا العنوان لموقع ${site}. إن كنت أنت فافتح هذه الصفحة خلال ساعة وأكّده:\n\n${link}\n\nوإن لم تكن أنت فلا تفعل شيئًا: لا يحدث شيء دون تأكيدك.\n`,
  },
}

/** The letter whose link confirms an e-mail address. */
export const verificationLetter = (locale: Locale, site: string, link: string): { subject: string; text: string } => ({
  subject: words[locale].subject(site),
  text: words[locale].text(site, link),
})
