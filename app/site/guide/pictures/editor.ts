export const editor = `<svg class="guide-drawing" role="img" aria-label="A TradingView chart, drawn in outline. In the bar at the right edge the button Pine Editor is marked b; the editor stands open beside the chart. At the lower edge an outlined tab Pine Editor shows where older layouts have it." viewBox="0 0 430 268">
  <rect x="0" y="0" width="430" height="268" fill="none" stroke="var(--ink2)" stroke-width="0.75"/>
  <path d="M0 26L430 26" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <text x="14" y="17" font-size="8" font-family="var(--mono)" fill="var(--ink)">SYMBOL</text>
  <path d="M58 7L58 19" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <text x="70" y="17" font-size="8" font-family="var(--mono)" fill="var(--ink)">1D</text>
  <path d="M94 7L94 19" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <text x="106" y="17" font-size="9" fill="var(--ink2)">Indicators</text>
  <text x="164" y="17" font-size="9" fill="var(--ink2)">Alert</text>
  <g stroke="var(--ink2)" stroke-width="0.75">
    <path d="M17.7 199.1L17.7 214"/>
    <rect x="15.5" y="201.2" width="4.4" height="9.9" fill="var(--paper)"/>
    <path d="M25 201.9L25 205.2"/>
    <rect x="22.8" y="202" width="4.4" height="1" fill="var(--ink2)"/>
    <path d="M32.3 175.1L32.3 206.8"/>
    <rect x="30.1" y="181.2" width="4.4" height="21" fill="var(--paper)"/>
    <path d="M39.6 163.1L39.6 186.5"/>
    <rect x="37.4" y="166.9" width="4.4" height="13.8" fill="var(--paper)"/>
    <path d="M46.9 165.9L46.9 170"/>
    <rect x="44.7" y="168" width="4.4" height="1" fill="var(--ink2)"/>
    <path d="M54.2 162L54.2 176.6"/>
    <rect x="52" y="167.8" width="4.4" height="2.6" fill="var(--ink2)"/>
    <path d="M61.5 149L61.5 171.6"/>
    <rect x="59.3" y="158.6" width="4.4" height="12.1" fill="var(--paper)"/>
    <path d="M68.8 150.9L68.8 167.1"/>
    <rect x="66.6" y="158.2" width="4.4" height="1" fill="var(--ink2)"/>
    <path d="M76.1 157.5L76.1 166.4"/>
    <rect x="73.9" y="159" width="4.4" height="1.7" fill="var(--ink2)"/>
    <path d="M83.4 140L83.4 162.9"/>
    <rect x="81.2" y="140.9" width="4.4" height="19.4" fill="var(--paper)"/>
    <path d="M90.7 128L90.7 142.2"/>
    <rect x="88.5" y="135.6" width="4.4" height="4.2" fill="var(--paper)"/>
    <path d="M98 122.6L98 137.3"/>
    <rect x="95.8" y="130.3" width="4.4" height="5.5" fill="var(--paper)"/>
    <path d="M105.3 127.5L105.3 135.3"/>
    <rect x="103.1" y="130.5" width="4.4" height="1" fill="var(--ink2)"/>
    <path d="M112.7 127.7L112.7 133.2"/>
    <rect x="110.5" y="129.5" width="4.4" height="1.3" fill="var(--paper)"/>
    <path d="M120 115.4L120 132.4"/>
    <rect x="117.8" y="120.1" width="4.4" height="9.1" fill="var(--paper)"/>
    <path d="M127.3 116.9L127.3 125"/>
    <rect x="125.1" y="119.4" width="4.4" height="1" fill="var(--paper)"/>
    <path d="M134.6 100.9L134.6 121.8"/>
    <rect x="132.4" y="110" width="4.4" height="7.7" fill="var(--paper)"/>
    <path d="M141.9 105.7L141.9 115.4"/>
    <rect x="139.7" y="110.2" width="4.4" height="2.2" fill="var(--ink2)"/>
    <path d="M149.2 97.3L149.2 114.1"/>
    <rect x="147" y="99.8" width="4.4" height="12.1" fill="var(--paper)"/>
    <path d="M156.5 91.8L156.5 103.6"/>
    <rect x="154.3" y="95" width="4.4" height="5.5" fill="var(--paper)"/>
    <path d="M163.8 77.9L163.8 96.3"/>
    <rect x="161.6" y="80.8" width="4.4" height="14.9" fill="var(--paper)"/>
    <path d="M171.1 71.6L171.1 85.4"/>
    <rect x="168.9" y="80.8" width="4.4" height="2.6" fill="var(--ink2)"/>
    <path d="M178.4 69.4L178.4 85.9"/>
    <rect x="176.2" y="71.2" width="4.4" height="11.6" fill="var(--paper)"/>
    <path d="M185.7 64L185.7 73.4"/>
    <rect x="183.5" y="67.5" width="4.4" height="3.2" fill="var(--paper)"/>
    <path d="M193 68.3L193 72.5"/>
    <rect x="190.8" y="68.3" width="4.4" height="1" fill="var(--ink2)"/>
    <path d="M200.3 66.3L200.3 85.9"/>
    <rect x="198.1" y="68.8" width="4.4" height="11.2" fill="var(--ink2)"/>
  </g>
  <rect x="14" y="36" width="12" height="12" fill="var(--ink)"/>
  <text x="20" y="45" font-size="8" font-family="var(--mono)" text-anchor="middle" fill="var(--paper)">a</text>
  <path d="M218 26L218 246" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <text x="230" y="44" font-size="10" font-weight="500" fill="var(--ink)">Untitled script</text>
  <path d="M218 54L392 54" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <text x="238" y="70" font-size="8" font-family="var(--mono)" text-anchor="end" fill="var(--ink2)">1</text>
  <rect x="248" y="65" width="62" height="4" fill="var(--rule)"/>
  <text x="238" y="85" font-size="8" font-family="var(--mono)" text-anchor="end" fill="var(--ink2)">2</text>
  <rect x="248" y="80" width="104" height="4" fill="var(--rule)"/>
  <text x="238" y="100" font-size="8" font-family="var(--mono)" text-anchor="end" fill="var(--ink2)">3</text>
  <text x="238" y="115" font-size="8" font-family="var(--mono)" text-anchor="end" fill="var(--ink2)">4</text>
  <rect x="248" y="110" width="84" height="4" fill="var(--rule)"/>
  <text x="238" y="130" font-size="8" font-family="var(--mono)" text-anchor="end" fill="var(--ink2)">5</text>
  <rect x="248" y="125" width="96" height="4" fill="var(--rule)"/>
  <text x="238" y="145" font-size="8" font-family="var(--mono)" text-anchor="end" fill="var(--ink2)">6</text>
  <text x="238" y="160" font-size="8" font-family="var(--mono)" text-anchor="end" fill="var(--ink2)">7</text>
  <rect x="248" y="155" width="52" height="4" fill="var(--rule)"/>
  <text x="238" y="175" font-size="8" font-family="var(--mono)" text-anchor="end" fill="var(--ink2)">8</text>
  <rect x="248" y="170" width="78" height="4" fill="var(--rule)"/>
  <path d="M392 26L392 268" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <rect x="403" y="38" width="16" height="16" fill="none" stroke="var(--rule)" stroke-width="1"/>
  <rect x="403" y="66" width="16" height="16" fill="none" stroke="var(--rule)" stroke-width="1"/>
  <rect x="403" y="94" width="16" height="16" fill="none" stroke="var(--rule)" stroke-width="1"/>
  <rect x="403" y="178" width="16" height="16" fill="none" stroke="var(--rule)" stroke-width="1"/>
  <rect x="403" y="206" width="16" height="16" fill="none" stroke="var(--rule)" stroke-width="1"/>
  <rect x="398" y="126" width="26" height="26" fill="var(--ink)"/>
  <rect x="398" y="150" width="26" height="3" fill="var(--fast)"/>
  <text x="411" y="142" font-size="8" font-family="var(--mono)" text-anchor="middle" fill="var(--paper)">&lt;/&gt;</text>
  <rect x="333" y="133" width="55" height="12" fill="var(--paper)"/>
  <text x="386" y="142" font-size="9" font-weight="600" text-anchor="end" fill="var(--ink)">Pine Editor</text>
  <rect x="318" y="132.5" width="12" height="12" fill="var(--ink)"/>
  <text x="324" y="141.5" font-size="8" font-family="var(--mono)" text-anchor="middle" fill="var(--paper)">b</text>
  <path d="M0 246L392 246" fill="none" stroke="var(--rule)" stroke-width="0.75"/>
  <rect x="10" y="248.5" width="66" height="17" fill="none" stroke="var(--ink2)" stroke-width="0.75"/>
  <text x="43" y="260" font-size="8.5" text-anchor="middle" fill="var(--ink)">Pine Editor</text>
  <text x="84" y="260" font-size="7.5" font-family="var(--mono)" fill="var(--ink2)">here in older layouts</text>
</svg>`
