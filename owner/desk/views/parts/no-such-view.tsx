import { Button } from '@mantine/core'
import { hrefOf } from '../navigation/location.ts'
import { View } from './outline/view.tsx'

export function NoSuchView() {
  return (
    <View
      heading="There is no such view."
      note="The address may be mistyped, or belong to another version of the desk."
      actions={
        <Button component="a" variant="filled" href={hrefOf('')}>
          Today
        </Button>
      }
    />
  )
}
