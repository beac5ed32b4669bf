export const settings = `<svg class="guide-drawing" role="img" aria-label="The name of the script on the chart with its buttons; the second, a gear, opens the settings. The dialog, tab Inputs. {inputsInWords}" viewBox="0 0 430 {height}">
  <text x="0" y="30" font-size="9.5" font-weight="500" fill="var(--ink)">{title}</text>
  <path d="M0 37L120 37" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <path d="M2 61Q9 54 16 61Q9 68 2 61Z" fill="none" stroke="var(--ink2)" stroke-width="0.9"/>
  <circle cx="9" cy="61" r="2" fill="none" stroke="var(--ink2)" stroke-width="0.9"/>
  <rect x="21" y="51" width="20" height="20" fill="var(--ink)"/>
  <rect x="21" y="69" width="20" height="2.5" fill="var(--fast)"/>
  <circle cx="31" cy="60.5" r="4.6" fill="none" stroke="var(--paper)" stroke-width="2.4" stroke-dasharray="2.4 1.2"/>
  <circle cx="31" cy="60.5" r="2.9" fill="none" stroke="var(--paper)" stroke-width="1.3"/>
  <text x="46" y="64" font-size="8.5" font-family="var(--mono)" fill="var(--ink2)">{ }</text>
  <path d="M66 57L75 57M68 57L69 66L72.500 66L73.500 57M69 57L69 55L72.500 55L72.500 57" fill="none" stroke="var(--ink2)" stroke-width="0.9"/>
  <rect x="84" y="55" width="12" height="12" fill="var(--ink)"/>
  <text x="90" y="64" font-size="8" font-family="var(--mono)" text-anchor="middle" fill="var(--paper)">a</text>
  <text x="21" y="84" font-size="8.5" font-weight="600" fill="var(--ink)">Settings</text>
  <path d="M100 61L126 61" fill="none" stroke="var(--ink2)" stroke-width="0.75"/>
  <path d="M122 58L126 61L122 64" fill="none" stroke="var(--ink2)" stroke-width="0.75"/>
  <rect x="134" y="0" width="296" height="{height}" fill="var(--paper)" stroke="var(--ink)" stroke-width="0.9"/>
  <text x="148" y="20" font-size="11" font-weight="500" fill="var(--ink)">{title}</text>
  <path d="M409 12L416 19" fill="none" stroke="var(--ink2)" stroke-width="0.9"/>
  <path d="M416 12L409 19" fill="none" stroke="var(--ink2)" stroke-width="0.9"/>
  <text x="148" y="40" font-size="9" font-weight="600" fill="var(--ink)">Inputs</text>
  <path d="M148 46L176.8 46" fill="none" stroke="var(--ink)" stroke-width="1.5"/>
  <rect x="181.8" y="31" width="12" height="12" fill="var(--ink)"/>
  <text x="187.8" y="40" font-size="8" font-family="var(--mono)" text-anchor="middle" fill="var(--paper)">b</text>
  <text x="212.8" y="40" font-size="9" fill="var(--ink2)">Properties</text>
  <rect x="266.3" y="31" width="12" height="12" fill="var(--ink)"/>
  <text x="272.3" y="40" font-size="8" font-family="var(--mono)" text-anchor="middle" fill="var(--paper)">c</text>
  <text x="297.3" y="40" font-size="9" fill="var(--ink2)">Style</text>
  <text x="340.2" y="40" font-size="9" fill="var(--ink2)">Visibility</text>
  <path d="M134 46.5L430 46.5" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  {inputs}
  <g transform="translate(0 {foot})">
    <path d="M134 0L430 0" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
    <rect x="304" y="7" width="54" height="18" fill="none" stroke="var(--ink2)" stroke-width="0.75"/>
    <text x="331" y="19" font-size="8.5" text-anchor="middle" fill="var(--ink2)">Cancel</text>
    <rect x="366" y="7" width="50" height="18" fill="var(--ink)"/>
    <rect x="366" y="23" width="50" height="2.5" fill="var(--fast)"/>
    <text x="391" y="19" font-size="8.5" font-weight="600" text-anchor="middle" fill="var(--paper)">Ok</text>
  </g>
</svg>`
