import { brand } from '#content/brand.ts'

export function Copyright() {
  return <p>{`© ${brand.copyrightYear} ${brand.name}`}</p>
}
