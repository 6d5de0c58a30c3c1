/** Setting for browser notifications while the site is in the background, stored on the device. */
const KEY = 'augury.device-notices'

/** Whether browser notifications are on. */
export const deviceNotices = (): boolean =>
  typeof Notification !== 'undefined' && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on'

/** Turns browser notifications on, asking for permission, or off. Returns whether they are on now. */
export async function setDeviceNotices(on: boolean): Promise<boolean> {
  if (typeof Notification === 'undefined') return false
  if (on && (await Notification.requestPermission()) !== 'granted') return false
  localStorage.setItem(KEY, on ? 'on' : 'off')
  return on
}

/** Shows a browser notification if they are on and the site is not visible. Phones only show those of a service worker. */
export async function showDeviceNotice(title: string, body: string, tag: string): Promise<void> {
  if (!document.hidden || !deviceNotices()) return
  const options = { body, tag, icon: '/icon.svg' }
  const worker = await navigator.serviceWorker?.getRegistration()
  if (worker?.active) await worker.showNotification(title, options)
  else new Notification(title, options)
}
