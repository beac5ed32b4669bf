export const webhook = `<svg class="guide-drawing" role="img" aria-label="The notifications of an alert. Webhook URL is ticked and holds an address that begins with https. The other boxes are left as they are." viewBox="0 0 430 172">
  <rect x="0" y="0" width="316" height="172" fill="var(--paper)" stroke="var(--ink)" stroke-width="0.9"/>
  <text x="14" y="20" font-size="11" font-weight="500" fill="var(--ink)">Edit alert</text>
  <path d="M295 12L302 19" fill="none" stroke="var(--ink2)" stroke-width="0.9"/>
  <path d="M302 12L295 19" fill="none" stroke="var(--ink2)" stroke-width="0.9"/>
  <text x="14" y="40" font-size="9" fill="var(--ink2)">Settings</text>
  <text x="70.1" y="40" font-size="9" fill="var(--ink2)">Message</text>
  <text x="129" y="40" font-size="9" font-weight="600" fill="var(--ink)">Notifications</text>
  <path d="M129 46L189.1 46" fill="none" stroke="var(--ink)" stroke-width="1.5"/>
  <path d="M0 46.5L316 46.5" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <rect x="328" y="31" width="12" height="12" fill="var(--ink)"/>
  <text x="334" y="40" font-size="8" font-family="var(--mono)" text-anchor="middle" fill="var(--paper)">a</text>
  <rect x="14" y="58" width="10" height="10" fill="none" stroke="var(--ink)" stroke-width="0.9"/>
  <text x="31" y="66.3" font-size="9" fill="var(--ink)">Notify in app</text>
  <rect x="14" y="75" width="10" height="10" fill="none" stroke="var(--ink)" stroke-width="0.9"/>
  <text x="31" y="83.3" font-size="9" fill="var(--ink)">Send email</text>
  <rect x="14" y="92" width="10" height="10" fill="none" stroke="var(--ink)" stroke-width="0.9"/>
  <path d="M16.2 97.2L18.3 99.4L22 94.8" fill="none" stroke="var(--ink)" stroke-width="1.2"/>
  <text x="31" y="100.3" font-size="9" fill="var(--ink)">Webhook URL</text>
  <rect x="31" y="108" width="271" height="18" fill="var(--paper)" stroke="var(--ink)" stroke-width="0.75"/>
  <text x="38" y="120" font-size="8" font-family="var(--mono)" fill="var(--ink)">https://bridge.example/hook/YOUR-CODE</text>
  <rect x="328" y="111" width="12" height="12" fill="var(--ink)"/>
  <text x="334" y="120" font-size="8" font-family="var(--mono)" text-anchor="middle" fill="var(--paper)">b</text>
  <text x="347" y="120" font-size="7.5" font-family="var(--mono)" fill="var(--ink2)">port 80 or 443</text>
  <path d="M0 138L316 138" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <rect x="186" y="146" width="54" height="18" fill="none" stroke="var(--ink2)" stroke-width="0.75"/>
  <text x="213" y="158" font-size="8.5" text-anchor="middle" fill="var(--ink2)">Cancel</text>
  <rect x="248" y="146" width="54" height="18" fill="var(--ink)"/>
  <rect x="248" y="162" width="54" height="2.5" fill="var(--fast)"/>
  <text x="275" y="158" font-size="8.5" font-weight="600" text-anchor="middle" fill="var(--paper)">Save</text>
  <rect x="328" y="149" width="12" height="12" fill="var(--ink)"/>
  <text x="334" y="158" font-size="8" font-family="var(--mono)" text-anchor="middle" fill="var(--paper)">c</text>
</svg>`
