import { Button } from '@mantine/core'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'

export function BackToReady() {
  return (
    <Button component="a" href={hrefOf('ready')}>
      Back to Ready
    </Button>
  )
}
