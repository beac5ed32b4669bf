export const alert = `<svg class="guide-drawing" role="img" aria-label="The dialog for a new alert, twice. Tab Settings: condition {title}, below it Order fills only; expiration as late as possible. Tab Message: {{strategy.order.alert_message}}. Button: Create." viewBox="0 0 430 160">
  <rect x="0" y="0" width="208" height="160" fill="var(--paper)" stroke="var(--ink)" stroke-width="0.9"/>
  <text x="14" y="20" font-size="11" font-weight="500" fill="var(--ink)">Create alert</text>
  <text x="14" y="40" font-size="9" font-weight="600" fill="var(--ink)">Settings</text>
  <path d="M14 46L53.3 46" fill="none" stroke="var(--ink)" stroke-width="1.5"/>
  <text x="73.3" y="40" font-size="9" fill="var(--ink2)">Message</text>
  <text x="129" y="40" font-size="9" fill="var(--ink2)">Notifications</text>
  <path d="M0 46.5L208 46.5" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <text x="14" y="64" font-size="9" fill="var(--ink)">Condition</text>
  <rect x="182" y="55" width="12" height="12" fill="var(--ink)"/>
  <text x="188" y="64" font-size="8" font-family="var(--mono)" text-anchor="middle" fill="var(--paper)">b</text>
  <rect x="14" y="71" width="180" height="18" fill="var(--paper)" stroke="var(--ink)" stroke-width="0.75"/>
  <text x="21" y="83" font-size="8" font-family="var(--mono)" fill="var(--ink)">{title}</text>
  <path d="M182 78.5L185 81.5L188 78.5" fill="none" stroke="var(--ink2)" stroke-width="0.9"/>
  <rect x="14" y="93" width="180" height="18" fill="var(--paper)" stroke="var(--ink)" stroke-width="0.75"/>
  <text x="21" y="105" font-size="8" font-family="var(--mono)" fill="var(--ink)">Order fills only</text>
  <path d="M182 100.5L185 103.5L188 100.5" fill="none" stroke="var(--ink2)" stroke-width="0.9"/>
  <text x="14" y="127" font-size="9" fill="var(--ink)">Expiration</text>
  <rect x="182" y="118" width="12" height="12" fill="var(--ink)"/>
  <text x="188" y="127" font-size="8" font-family="var(--mono)" text-anchor="middle" fill="var(--paper)">d</text>
  <rect x="14" y="133" width="180" height="18" fill="var(--paper)" stroke="var(--ink)" stroke-width="0.75"/>
  <text x="21" y="145" font-size="8" font-family="var(--mono)" fill="var(--ink)">as late as possible</text>
  <path d="M182 140.5L185 143.5L188 140.5" fill="none" stroke="var(--ink2)" stroke-width="0.9"/>
  <rect x="222" y="0" width="208" height="160" fill="var(--paper)" stroke="var(--ink)" stroke-width="0.9"/>
  <text x="236" y="20" font-size="11" font-weight="500" fill="var(--ink)">Create alert</text>
  <text x="236" y="40" font-size="9" fill="var(--ink2)">Settings</text>
  <text x="292.1" y="40" font-size="9" font-weight="600" fill="var(--ink)">Message</text>
  <path d="M292.1 46L333.5 46" fill="none" stroke="var(--ink)" stroke-width="1.5"/>
  <text x="351" y="40" font-size="9" fill="var(--ink2)">Notifications</text>
  <path d="M222 46.5L430 46.5" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <text x="236" y="64" font-size="9" fill="var(--ink)">Message</text>
  <rect x="404" y="55" width="12" height="12" fill="var(--ink)"/>
  <text x="410" y="64" font-size="8" font-family="var(--mono)" text-anchor="middle" fill="var(--paper)">c</text>
  <rect x="236" y="71" width="180" height="40" fill="var(--paper)" stroke="var(--ink)" stroke-width="0.75"/>
  <text x="243" y="83" font-size="8" font-family="var(--mono)" fill="var(--ink)">{{strategy.order.alert_message}}</text>
  <path d="M222 126L430 126" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <rect x="300" y="134" width="54" height="18" fill="none" stroke="var(--ink2)" stroke-width="0.75"/>
  <text x="327" y="146" font-size="8.5" text-anchor="middle" fill="var(--ink2)">Cancel</text>
  <rect x="362" y="134" width="54" height="18" fill="var(--ink)"/>
  <rect x="362" y="150" width="54" height="2.5" fill="var(--fast)"/>
  <text x="389" y="146" font-size="8.5" font-weight="600" text-anchor="middle" fill="var(--paper)">Create</text>
</svg>`
