import { Anchor } from '@mantine/core'
import type { ComponentProps } from 'react'
import styles from './link-button.module.css'

/** A button that looks like a link. */
export function LinkButton(props: ComponentProps<typeof Anchor<'button'>>) {
  return <Anchor component="button" type="button" className={styles.link} {...props} />
}
