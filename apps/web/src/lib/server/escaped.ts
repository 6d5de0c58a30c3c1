/** A text as it stands in HTML and XML, between tags and in attributes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`)
