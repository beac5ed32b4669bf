/** An address, which no translator touches and which may be broken anywhere. */
export function Address({ children }: { children: string }) {
  return (
    <span className="address" translate="no">
      {children}
    </span>
  )
}
