import { Component, type ReactNode } from 'react'
import { Fault } from '../fault.tsx'
import { LinkButton } from '../link-button.tsx'
import { View } from './view.tsx'

interface ViewBoundaryProps {
  children: ReactNode
}

interface ViewBoundaryState {
  hasFailed: boolean
}

/**
 * A fault of our own in a view leaves the navigation, and a way on. React asks for a class here.
 */
export class ViewBoundary extends Component<ViewBoundaryProps, ViewBoundaryState> {
  override state: ViewBoundaryState = { hasFailed: false }

  static getDerivedStateFromError(): ViewBoundaryState {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <View heading="This view cannot be shown.">
        <Fault>
          The desk has a fault here. Nothing that was saved is lost.{' '}
          <LinkButton onClick={() => location.reload()}>Load it again</LinkButton>
        </Fault>
      </View>
    )
  }
}
