import { TYPEFACE } from "../../chart/chart.js";
import { DARK_VARIABLES, LIGHT_VARIABLES } from "../../chart/palette.js";

/** The page's style sheet, with one switch for each policy. */
export function styleSheet(policies: number): string {
  const switches = Array.from({ length: policies }, (_, index) => switchRules(index)).join("\n");
  return `:root{${LIGHT}color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{${DARK}}}
${SHEET}
${switches}
${PRINT}`;
}

function variables(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `--${name}:${value};`)
    .join("");
}

const LIGHT = `${variables(LIGHT_VARIABLES)}--accent:#0855c3;--good:#0b6b4f;--goodback:#e2f3ec;--warn:#8a4b00;--warnback:#fbeedb;--bad:#a3262a;--badback:#fbe5e5;`;
const DARK = `${variables(DARK_VARIABLES)}--accent:#8db4ff;--good:#6fdcb4;--goodback:#173a2f;--warn:#f2bd74;--warnback:#3d2d15;--bad:#ff9c9c;--badback:#452022;`;

/** Switching a policy off hides its marks; pointing at its button fades the others. */
function switchRules(index: number): string {
  return `.off-${index} .s${index}{display:none!important}.off-${index} .s${index}-row{opacity:.45}body:has(.to-${index}:is(:hover,:focus-visible)) svg .series:not(.s${index}){opacity:.12}body:has(.to-${index}:is(:hover,:focus-visible)) svg .s${index}{stroke-opacity:1}`;
}

const SHEET = `*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:7.5rem}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 ${TYPEFACE};overflow-wrap:anywhere}
.page{max-width:70rem;margin:0 auto;padding:0 1.25rem 5rem}
p,li,dd{max-width:44rem}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-99rem;top:0;background:var(--paper);padding:.6rem 1rem;z-index:9}
.skip:focus{left:.5rem;top:.5rem}
header{padding:3.5rem 0 1.5rem}
.eyebrow{margin:0;color:var(--muted);font-size:.8rem;letter-spacing:.09em;text-transform:uppercase;font-weight:600}
h1{font-size:clamp(2rem,6vw,3.1rem);line-height:1.1;letter-spacing:-.022em;margin:.3rem 0 1rem;font-weight:700}
h2{font-size:1.6rem;line-height:1.25;letter-spacing:-.014em;margin:4rem 0 .8rem;padding-top:1.4rem;border-top:1px solid var(--grid)}
h3{font-size:1.12rem;line-height:1.3;margin:2.4rem 0 .6rem}
.claim{font-size:clamp(1.15rem,2.6vw,1.4rem);line-height:1.45;margin:0 0 1.4rem;max-width:46rem;padding-left:1rem;border-left:4px solid var(--accent)}
.facts{display:flex;flex-wrap:wrap;gap:.4rem 2rem;margin:0;padding:0;list-style:none;color:var(--muted);font-size:.92rem}
.facts b{color:var(--ink);font-weight:650;font-variant-numeric:tabular-nums}
.findings{list-style:none;padding:0;margin:1.2rem 0;display:grid;gap:.9rem}
.findings li{padding-left:5.2rem;position:relative;max-width:50rem}
.findings .verdict{position:absolute;left:0;top:.16rem;width:4.3rem;text-align:center}
.verdict{display:inline-block;font-size:.76rem;font-weight:650;line-height:1.35;padding:.08rem .5rem;border-radius:1rem;border:1px solid currentColor;white-space:nowrap}
.answer a{font-weight:400;color:inherit;font-size:1rem;white-space:nowrap}
.answer{font-size:1.3rem;line-height:1.4;font-weight:650;margin:1.2rem 0;padding:.8rem 1.1rem;border-radius:10px;border:1px solid currentColor;max-width:46rem}
.supported,.holds,.clear,.yes.verdict{color:var(--good);background:var(--goodback)}
.open,.unknown.verdict{color:var(--warn);background:var(--warnback)}
.none{color:var(--muted);background:var(--faint)}
.contradicted,.fails,.no.verdict,.bad{color:var(--bad)}
.contradicted,.fails,.no.verdict{background:var(--badback)}
.interval{color:var(--muted);font-size:.92em;white-space:nowrap;font-variant-numeric:tabular-nums}
.note{color:var(--muted);font-size:.92rem}
.few{max-width:46rem}
.world{display:grid;gap:.4rem 2.2rem;align-items:start;margin:0 0 1rem}
.world>*{min-width:0}
.world .box{margin:.6rem 0}
@media (min-width:58rem){.world{grid-template-columns:1.22fr 1fr}}
.assumptions{list-style:none;padding:0;margin:.6rem 0;display:grid;gap:.5rem;font-size:.9rem;line-height:1.45}
.assumptions li{display:grid;grid-template-columns:5.4rem 1fr;gap:.7rem;align-items:baseline}
.assumptions .verdict{text-align:center}
.box{position:relative;overflow-x:auto;margin:1rem 0 1.4rem;border:1px solid var(--grid);border-radius:10px;max-width:100%}
table{overflow-wrap:normal;border-collapse:separate;border-spacing:0;width:100%;font-size:.87rem;font-variant-numeric:tabular-nums;line-height:1.4}
caption{text-align:left;padding:.7rem .7rem .5rem;color:var(--muted);font-size:.85rem}
.box.more{-webkit-mask-image:linear-gradient(to left,transparent,#000 3.5rem);mask-image:linear-gradient(to left,transparent,#000 3.5rem)}
th,td{padding:.45rem .5rem;text-align:right;white-space:nowrap;border-top:1px solid var(--grid);vertical-align:baseline}
thead th{color:var(--muted);font-weight:600;font-size:.82rem;vertical-align:bottom;white-space:normal;line-height:1.25}
th[scope=row],thead th:first-child{text-align:left;position:sticky;left:0;z-index:1;background:var(--paper)}
th[scope=row]{font-weight:600;white-space:normal;overflow-wrap:anywhere;min-width:8rem;max-width:16rem}
.policy{display:inline-flex;align-items:baseline;gap:.45rem;line-height:1.2}
.policy .swatch{align-self:center}
.policy.short{white-space:nowrap}
.distribution{text-align:left!important;white-space:normal;min-width:9rem}
.dash{white-space:nowrap;color:var(--muted)}
.why{font-size:.84em;white-space:normal}
td>.dash{display:inline-block;max-width:9rem;line-height:1.25}
.evidence td{white-space:normal;text-align:left;min-width:9rem}
.evidence .interval{white-space:normal;line-height:1.3}
.evidence thead th{text-align:left}
.main{font-weight:650}
.term-name{text-align:left}
.words{white-space:normal;text-align:left;min-width:17rem}
.formula{font-size:1.04em;line-height:1.9}
math{font-family:inherit}
.words code,.source{overflow-wrap:anywhere}
.source{color:var(--muted)}
.outside{color:var(--warn);font-weight:600}
.best{font-weight:700}
.ratio{color:var(--muted);font-size:.86em}
.told{text-align:left!important}
.single{max-width:38rem}
.matrix .box{width:fit-content}
.matrix table{width:auto;font-size:.78rem}
.matrix td{padding:.2rem .38rem;text-align:center;border:1px solid var(--paper)}
.matrix th[scope=row]{padding:.2rem .7rem;font-weight:550;border-color:transparent}
.matrix thead th[scope=col]{padding:.3rem .2rem;line-height:1.1;text-align:left}
.matrix thead th:first-child{padding-left:.7rem;position:sticky;left:0;z-index:1;background:var(--paper)}
.matrix thead a{text-decoration:none}
.matrix thead span{writing-mode:vertical-rl;transform:rotate(180deg);display:inline-block}
.matrix .first{font-weight:750;background:color-mix(in srgb,var(--good) 46%,var(--paper))}
.matrix .close{background:color-mix(in srgb,var(--good) 32%,var(--paper))}
.matrix .near{background:color-mix(in srgb,var(--good) 15%,var(--paper))}
.matrix .far{background:var(--badback)}
.matrix .apart:not(.apart~.apart){border-left:3px solid var(--muted)}
.looks{position:absolute}
.swatch{display:inline-block;vertical-align:-1px;flex:none}
button .swatch{margin-right:.35rem}
.controls{position:sticky;top:0;z-index:5;background:color-mix(in srgb,var(--paper) 94%,transparent);backdrop-filter:blur(6px);border-bottom:1px solid var(--grid);margin:2.5rem -1.25rem 0;padding:.6rem 1.25rem;display:none}
.scripted .controls{display:block}
.row{display:flex;gap:.4rem;flex-wrap:wrap;align-items:center;max-height:5.2rem;overflow-y:auto;padding:3px}
.row+.row{margin-top:.2rem}
.row .label{color:var(--muted);font-size:.8rem;margin-right:.1rem;white-space:nowrap;flex:none}
.row .label:not(:first-child){margin-left:.8rem}
button{font:inherit;flex:none;font-size:.85rem;line-height:1.2;color:var(--ink);background:var(--paper);border:1px solid var(--grid);border-radius:2rem;padding:.36rem .7rem;cursor:pointer;display:inline-flex;align-items:center;white-space:nowrap}
button:hover{border-color:var(--muted)}
button[aria-pressed=true]{border-color:var(--muted);background:var(--faint)}
.policies button[aria-pressed=false]{color:var(--muted);text-decoration:line-through;border-style:dashed}
.policies button[aria-pressed=false] .swatch{opacity:.3}
.choices button[aria-pressed=true]{background:var(--ink);color:var(--paper);border-color:var(--ink)}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,26rem),1fr));gap:1.6rem 2rem;margin:1.2rem 0;align-items:start}
.lead{display:grid;gap:1.6rem 2.2rem;margin:1.4rem 0 2.2rem;align-items:start}
.lead>div{display:grid;gap:1.6rem;min-width:0}
.lead h3{margin-top:0}
@media (min-width:58rem){.lead{grid-template-columns:1.22fr 1fr}}
figure{margin:0;min-width:0;break-inside:avoid}
figure{display:grid;grid-template-columns:minmax(0,1fr) auto;align-items:baseline;column-gap:.6rem}
figure>*{grid-column:1/-1}
.title{margin:0 0 .4rem;font-weight:700;line-height:1.35;grid-column:1}
.save{grid-column:2;display:flex;gap:.25rem}
.save button,.copy{font-size:.72rem;padding:.16rem .5rem;color:var(--muted)}
.plot{position:relative;min-width:0}
.plot:hover{cursor:crosshair}
.plot svg{display:block;width:100%;height:auto;overflow:visible}
.tip{position:absolute;z-index:4;pointer-events:none;width:max-content;max-width:min(17rem,100%);background:var(--ink);color:var(--paper);font-size:.78rem;line-height:1.35;padding:.3rem .55rem;border-radius:6px}
.tip:empty{display:none}
.cursor{pointer-events:none}
.cursor line{stroke:var(--muted);stroke-width:1;stroke-dasharray:2 2}
.cursor circle{fill:none;stroke:var(--ink);stroke-width:1.8}
.seeds{display:none;pointer-events:none}
[data-band=seeds] .seeds{display:inline}
.names{display:none;list-style:none;padding:0;margin:.2rem 0 .3rem;flex-wrap:wrap;gap:.15rem .9rem;font-size:.8rem;line-height:1.3}
.names li{display:flex;align-items:center;gap:.35rem;max-width:100%}
.copied{position:relative;max-width:46rem}
.copied .copy{position:absolute;right:.5rem;top:.5rem}
figcaption{color:var(--muted);font-size:.84rem;line-height:1.5;margin-top:.3rem;max-width:44rem}
.scripted[data-scale=log] .linear,.scripted[data-scale=linear] .log{display:none}
.band{display:none}
[data-band=runs] .band.runs,[data-band=interval] .band.interval,html:not(.scripted) .band.runs{display:inline}
details{margin:1rem 0}
details+details{margin-top:-.6rem}
summary{cursor:pointer;font-weight:600;padding:.25rem 0}
details>:not(summary){margin-left:.2rem}
details ul{padding-left:1.2rem;font-size:.92rem}
pre{font-family:inherit;overflow:auto;background:var(--faint);border:1px solid var(--grid);border-radius:10px;padding:.9rem 1rem;font-size:.82rem;line-height:1.5;max-height:32rem;overflow-wrap:normal}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.92em}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1.4rem;margin:1rem 0}
dt{color:var(--muted)}
dd{margin:0;min-width:0}
nav ul{list-style:none;padding:0;margin:1.4rem 0 0;display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;font-size:.92rem}
footer{margin-top:4rem;color:var(--muted);font-size:.86rem}
@media (max-width:40rem){.plot{aspect-ratio:var(--w)/var(--h);overflow-x:clip}.plot svg{width:calc(100%*440/var(--w));max-width:none}.plot{overflow-y:clip;overflow-clip-margin:0}.plot .end{visibility:hidden}.plot [font-size="11"]{font-size:12px}.plot.whole text{font-size:12.5px}.names{display:flex}.page{padding:0 1rem 4rem}header{padding-top:2rem}h2{margin-top:3rem;font-size:1.4rem}.controls{margin:2rem -1rem 0;padding:.4rem 1rem}.row{flex-wrap:nowrap;overflow-x:auto;max-height:none}.findings li{padding-left:0}.findings .verdict{position:static;width:auto}th[scope=row]{min-width:7rem;max-width:10rem}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.6rem}html{scroll-padding-top:6rem}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}`;

/** What a reader has folded stays folded, and the figures are those on the screen; the document, which is long, stays in the file. */
const PRINT = `@media print{:root{${LIGHT}color-scheme:light}
@page{size:A4;margin:10mm 11mm}
html,body{font-size:8.5pt;line-height:1.35}.page{max-width:none;padding:0}p,li,dd,.findings li{max-width:none}
.scripted .controls,.skip,nav,.save,.copy,.tip,.cursor,.document{display:none}
html:not(.scripted) .linear{display:none}
header{padding:0 0 .4rem}h1{font-size:20pt;margin:.1rem 0 .4rem}h2{font-size:13pt;margin:1.1rem 0 .3rem;padding-top:.5rem}h3{font-size:10pt;margin:.7rem 0 .2rem}
.claim{font-size:11pt;margin:0 0 .5rem}.answer{font-size:10.5pt;padding:.3rem .6rem;margin:.5rem 0}.findings{gap:.3rem;margin:.5rem 0}
h2,h3,.title{break-after:avoid}tr,figure,.findings li{break-inside:avoid}
.figures{grid-template-columns:1fr 1fr 1fr;gap:.5rem .9rem;margin:.4rem 0}.lead{grid-template-columns:1.22fr 1fr;gap:.5rem 1rem;margin:.5rem 0}.lead>div{gap:.5rem}.world{grid-template-columns:1.22fr 1fr;gap:1rem}.single{max-width:24rem}
figcaption{font-size:6.5pt;line-height:1.3}.title{font-size:8pt}
.box{overflow:visible;border:0;margin:.3rem 0 .5rem}.box.more{mask-image:none;-webkit-mask-image:none}table{font-size:7pt;line-height:1.25}caption{font-size:7pt;padding:.1rem .3rem}th,td{padding:.12rem .3rem;white-space:normal}th[scope=row]{min-width:0;position:static}thead th,.interval,.verdict{font-size:6.5pt}.words,.distribution,.evidence td{min-width:0}.formula{line-height:1.5}#Intervals+.box td{white-space:nowrap}#Intervals+.box .interval{font-size:5.5pt}
.assumptions{gap:.15rem;font-size:7.5pt}.note{font-size:7.5pt;margin:.3rem 0}
pre{max-height:none;white-space:pre-wrap;font-size:6.5pt;padding:.4rem .6rem}
a{color:inherit;text-decoration:none}footer{margin-top:1rem}}`;
