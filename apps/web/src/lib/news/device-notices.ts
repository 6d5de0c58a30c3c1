/** Whether this browser shows notices of its own while the site is in the background: kept on the device, with the browser's permission. */
const KEY = 'augury.device-notices'

/** Whether they are on. */
export const deviceNotices = (): boolean =>
  typeof Notification !== 'undefined' && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on'

/** Turns them on, asking the browser, or off. Answers whether they are on now. */
export async function setDeviceNotices(on: boolean): Promise<boolean> {
  if (typeof Notification === 'undefined') return false
  if (on && (await Notification.requestPermission()) !== 'granted') return false
  localStorage.setItem(KEY, on ? 'on' : 'off')
  return on
}

/** Shows a notice when they are on and nobody looks at the site. Phones show those of a site's worker only. */
export async function showDeviceNotice(title: string, body: string, tag: string): Promise<void> {
  if (!document.hidden || !deviceNotices()) return
  const options = { body, tag, icon: '/icon.svg' }
  const worker = await navigator.serviceWorker?.getRegistration()
  if (worker?.active) await worker.showNotification(title, options)
  else new Notification(title, options)
}
