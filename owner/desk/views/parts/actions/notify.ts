import { notifications } from '@mantine/notifications'

/** Says that something was done. */
export function notify(message: string): void {
  notifications.show({ message, color: 'up', autoClose: 6_000 })
}

/** Says why something was not done, where no field or dialog can say it. */
export function notifyFault(message: string): void {
  notifications.show({ message, color: 'down', autoClose: 12_000 })
}
