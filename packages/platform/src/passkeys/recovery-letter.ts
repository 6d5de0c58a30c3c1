import type { Locale } from '@augury/wire/platform/settings'

/** What the e-mail names. */
interface Sent {
  site: string
  link: string
  code: string
}

const words: Readonly<Record<Locale, { subject: (sent: Sent) => string; text: (sent: Sent) => string }>> = {
  en: {
    subject: ({ site }) => `Your recovery code for ${site}`,
    text: ({ site, link, code }) =>
      `A recovery code for your account on ${site} was requested. It works once, for an hour. Open this page and add a new passkey:\n\n${link}\n\nOr enter the code: ${code}\n\nThen all other devices are signed out, and withdrawals wait for a day. If you did not request it, do nothing, and give the code to nobody.\n`,
  },
  es: {
    subject: ({ site }) => `Tu código de recuperación para ${site}`,
    text: ({ site, link, code }) =>
      `Se ha solicitado un código de recuperación para tu cuenta en ${site}. Sirve una vez, durante una hora. Abre esta página y añade una nueva llave de acceso:\n\n${link}\n\nO introduce el código: ${code}\n\nDespués se cierra la sesión en todos los demás dispositivos y las retiradas esperan un día. Si no lo solicitaste, no hagas nada y no des el código a nadie.\n`,
  },
  ar: {
    subject: ({ site }) => `رمز الاسترداد الخاص بك لدى ${site}`,
    text: ({ site, link, code }) =>
      `طُلب رمز استرداد لحسابك لدى ${site}. يعمل مرة واحدة خلال ساعة. افتح هذه الصفحة وأضف مفتاح مرور جديدًا:\n\n${link}\n\nأو أدخل الرمز: ${code}\n\nبعد ذلك تُسجَّل جميع الأجهزة الأخرى خارجًا، وتنتظر عمليات السحب يومًا. إن لم تطلبه فلا تفعل شيئًا، ولا تعطِ الرمز لأحد.\n`,
  },
}

/** The e-mail with a recovery code. */
export const recoveryLetter = (locale: Locale, sent: Sent): { subject: string; text: string } => ({
  subject: words[locale].subject(sent),
  text: words[locale].text(sent),
})
