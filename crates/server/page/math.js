var at={},xe={};function x({type:e,names:t,props:r,handler:s,mathmlBuilder:i}){let a={type:e,numArgs:r.numArgs,argTypes:r.
argTypes,allowedInArgument:!!r.allowedInArgument,allowedInText:!!r.allowedInText,allowedInMath:r.allowedInMath===void 0?
!0:r.allowedInMath,numOptionalArgs:r.numOptionalArgs||0,infix:!!r.infix,primitive:!!r.primitive,handler:s};for(let l=0;l<
t.length;++l)at[t[l]]=a;e&&i&&(xe[e]=i)}function K({type:e,mathmlBuilder:t}){x({type:e,names:[],props:{numArgs:0},handler(){
throw new Error("Should never be called.")},mathmlBuilder:t})}var se=function(e){return e.type==="ordgroup"&&e.body.length===
1?e.body[0]:e},F=function(e){return e.type==="ordgroup"?e.body:[e]};var J=function(e,t,r){if(!Object.prototype.hasOwnProperty.call(e,t))return r;let s=e[t];return s===void 0?r:s},_r=/([A-Z])/g,
Le=function(e){return e.replace(_r,"-$1").toLowerCase()},Xr={"&":"&amp;",">":"&gt;","<":"&lt;",'"':"&quot;","'":"&#x27;"},
Yr=/[&><"']/g;function te(e){return String(e).replace(Yr,t=>Xr[t])}var $e=function(e){return e.type==="ordgroup"||e.type===
"color"?e.body.length===1?$e(e.body[0]):e:e.type==="font"?$e(e.body):e},ue=function(e){let t=$e(e);return t.type==="math\
ord"||t.type==="textord"||t.type==="atom"},zt=function(e){if(!e)throw new Error("Expected non-null, but got "+String(e));
return e},Pt=function(e){let t=/^[\x00-\x20]*([^\\/#?]*?)(:|&#0*58|&#x0*3a|&colon)/i.exec(e);return t?t[2]!==":"||!/^[a-zA-Z][a-zA-Z0-9+\-.]*$/.
test(t[1])?null:t[1].toLowerCase():"_relative"},je=function(e){return+e.toFixed(4)},Ue="acegıȷmnopqrsuvwxyzαγεηικμνοπρςσ\
τυχωϕ𝐚𝐜𝐞𝐠𝐦𝐧𝐨𝐩𝐪𝐫𝐬𝐮𝐯𝐰𝐱𝐲𝐳";var ie=class{constructor(t){this.children=t,this.classes=[],this.style={}}hasClass(t){return this.classes.includes(t)}toNode(){
let t=document.createDocumentFragment();for(let r=0;r<this.children.length;r++)t.appendChild(this.children[r].toNode());
return t}toMarkup(){let t="";for(let r=0;r<this.children.length;r++)t+=this.children[r].toMarkup();return t}toText(){let t=r=>r.
toText();return this.children.map(t).join("")}};var me=function(e){return e.filter(t=>t).join(" ")},Zr=function(e,t){this.classes=e||[],this.attributes={},this.style=t||
{}},Kr=function(e){let t=document.createElement(e);t.className=me(this.classes);for(let r in this.style)Object.prototype.
hasOwnProperty.call(this.style,r)&&(t.style[r]=this.style[r]);for(let r in this.attributes)Object.prototype.hasOwnProperty.
call(this.attributes,r)&&t.setAttribute(r,this.attributes[r]);for(let r=0;r<this.children.length;r++)t.appendChild(this.
children[r].toNode());return t},Jr=function(e){let t=`<${e}`;this.classes.length&&(t+=` class="${te(me(this.classes))}"`);
let r="";for(let s in this.style)Object.prototype.hasOwnProperty.call(this.style,s)&&(r+=`${Le(s)}:${this.style[s]};`);r&&
(t+=` style="${r}"`);for(let s in this.attributes)Object.prototype.hasOwnProperty.call(this.attributes,s)&&(t+=` ${s}="${te(
this.attributes[s])}"`);t+=">";for(let s=0;s<this.children.length;s++)t+=this.children[s].toMarkup();return t+=`</${e}>`,
t},He=class{constructor(t,r,s){Zr.call(this,t,s),this.children=r||[]}setAttribute(t,r){this.attributes[t]=r}toNode(){return Kr.
call(this,"span")}toMarkup(){return Jr.call(this,"span")}};var we=class{constructor(t,r,s){this.href=t,this.classes=r,this.children=s||[]}toNode(){let t=document.createElement("a");
t.setAttribute("href",this.href),this.classes.length>0&&(t.className=me(this.classes));for(let r=0;r<this.children.length;r++)
t.appendChild(this.children[r].toNode());return t}toMarkup(){let t=`<a href='${te(this.href)}'`;this.classes.length>0&&(t+=
` class="${te(me(this.classes))}"`),t+=">";for(let r=0;r<this.children.length;r++)t+=this.children[r].toMarkup();return t+=
"</a>",t}},We=class{constructor(t,r,s){this.alt=r,this.src=t,this.classes=["mord"],this.style=s}hasClass(t){return this.
classes.includes(t)}toNode(){let t=document.createElement("img");t.src=this.src,t.alt=this.alt,t.className="mord";for(let r in this.
style)Object.prototype.hasOwnProperty.call(this.style,r)&&(t.style[r]=this.style[r]);return t}toMarkup(){let t=`<img src\
='${this.src}' alt='${this.alt}'`,r="";for(let s in this.style)Object.prototype.hasOwnProperty.call(this.style,s)&&(r+=`${Le(
s)}:${this.style[s]};`);return r&&(t+=` style="${te(r)}"`),t+=">",t}};function Q(e){return new ie(e)}var d=class{constructor(t,r,s,i){this.type=t,this.attributes={},this.children=r||[],this.
classes=s||[],this.style=i||{},this.label=""}setAttribute(t,r){this.attributes[t]=r}getAttribute(t){return this.attributes[t]}setLabel(t){
this.label=t}toNode(){let t=document.createElementNS("http://www.w3.org/1998/Math/MathML",this.type);for(let r in this.attributes)
Object.prototype.hasOwnProperty.call(this.attributes,r)&&t.setAttribute(r,this.attributes[r]);this.classes.length>0&&(t.
className=me(this.classes));for(let r in this.style)Object.prototype.hasOwnProperty.call(this.style,r)&&(t.style[r]=this.
style[r]);for(let r=0;r<this.children.length;r++)t.appendChild(this.children[r].toNode());return t}toMarkup(){let t="<"+
this.type;for(let s in this.attributes)Object.prototype.hasOwnProperty.call(this.attributes,s)&&(t+=" "+s+'="',t+=te(this.
attributes[s]),t+='"');this.classes.length>0&&(t+=` class="${te(me(this.classes))}"`);let r="";for(let s in this.style)Object.
prototype.hasOwnProperty.call(this.style,s)&&(r+=`${Le(s)}:${this.style[s]};`);r&&(t+=` style="${r}"`),t+=">";for(let s=0;s<
this.children.length;s++)t+=this.children[s].toMarkup();return t+="</"+this.type+">",t}toText(){return this.children.map(
t=>t.toText()).join("")}},q=class{constructor(t){this.text=t}toNode(){return document.createTextNode(this.text)}toMarkup(){
return te(this.toText())}toText(){return this.text}},Te=e=>{let t;return e.length===1&&e[0].type==="mrow"?(t=e.pop(),t.type=
"mstyle"):t=new d("mstyle",e),t};var ce=e=>{let t=0;if(e.body&&Array.isArray(e.body))for(let r of e.body)t+=ce(r);else if(e.body)t+=ce(e.body);else if(e.
type==="supsub")t+=ce(e.base),e.sub&&(t+=.7*ce(e.sub)),e.sup&&(t+=.7*ce(e.sup));else if(e.type==="mathord"||e.type==="te\
xtord")for(let r of e.text.split("")){let s=r.codePointAt(0);96<s&&s<123||944<s&&s<970?t+=.56:47<s&&s<58?t+=.5:t+=.92}else
t+=1;return t},Qr={widehat:"ˆ",widecheck:"ˇ",widetilde:"~",wideparen:"⏜",utilde:"~",overleftarrow:"←",underleftarrow:"\
←",xleftarrow:"←",overrightarrow:"→",underrightarrow:"→",xrightarrow:"→",underbrace:"⏟",overbrace:"⏞",overbracket:"\
⎴",underbracket:"⎵",overgroup:"⏠",overparen:"⏜",undergroup:"⏡",underparen:"⏝",overleftrightarrow:"↔",underleftrightarrow:"\
↔",xleftrightarrow:"↔",Overrightarrow:"⇒",xRightarrow:"⇒",overleftharpoon:"↼",xleftharpoonup:"↼",overrightharpoon:"\
⇀",xrightharpoonup:"⇀",xLeftarrow:"⇐",xLeftrightarrow:"⇔",xhookleftarrow:"↩",xhookrightarrow:"↪",xmapsto:"↦",
xrightharpoondown:"⇁",xleftharpoondown:"↽",xtwoheadleftarrow:"↞",xtwoheadrightarrow:"↠",xlongequal:"=",xrightleftarrows:"\
⇄",xtofrom:"⇄",xleftrightharpoons:"⇋",xrightleftharpoons:"⇌",yields:"→",yieldsLeft:"←",mesomerism:"↔",longrightharpoonup:"\
⇀",longleftharpoondown:"↽",eqrightharpoonup:"⇀",eqleftharpoondown:"↽","\\cdrightarrow":"→","\\cdleftarrow":"←",
"\\cdlongequal":"=",yieldsLeftRight:"⇄",chemequilibrium:"⇌"},Ne=function(e){let t=new q(Qr[e.slice(1)]),r=new d("mo",
[t]);return r.setAttribute("stretchy","true"),r},en=["\\widehat","\\widecheck"],Ve=e=>{let t=Ne(e.label);if(e.label.indexOf(
"tilde")>-1){let r=ce(e.base);1<r&&r<1.6?t.classes.push("tml-tilde-2"):1.6<=r&&r<2.5?t.classes.push("tml-tilde-3"):2.5<=
r&&t.classes.push("tml-tilde-4")}else if(en.includes(e.label)){let r=ce(e.base);0<r&&r<=1?t.classes.push("tml-hat-1"):1<
r&&r<1.6?t.classes.push("tml-hat-2"):1.6<=r&&r<2.5?t.classes.push("tml-hat-3"):2.5<=r&&t.classes.push("tml-hat-4")}return t};var Xe=class e{constructor(t,r){let s=" "+t,i,a=r&&r.loc;if(a&&a.start<=a.end){let u=a.lexer.input;i=a.start;let h=a.end;
i===u.length?s+=" at end of input: ":s+=" at position "+(i+1)+`: 
`;let g=u.slice(i,h).replace(/[^]/g,"$&̲"),A;i>15?A="…"+u.slice(i-15,i):A=u.slice(0,i);let T;h+15<u.length?T=u.slice(
h,h+15)+"…":T=u.slice(h),s+=A+g+T}let l=new Error(s);return l.name="ParseError",l.__proto__=e.prototype,l.position=i,l}};
Xe.prototype.__proto__=Error.prototype;var y=Xe;var jt={bin:1,close:1,inner:1,open:1,punct:1,rel:1},Ut={"accent-token":1,mathord:1,"op-token":1,spacing:1,textord:1},Ce=Object.
create(null);Ce.math=Object.create(null);Ce.text=Object.create(null);var P=Ce;function n(e,t,r,s,i){if(e!=="math"&&e!=="\
text")throw new TypeError(`Invalid mode: ${e} called in defineSymbol`);let a={group:t,replace:r};Ce[e][s]=a,i&&r&&(Ce[e][r]=
a)}var o="math",f="text",O="accent-token",b="bin",j="close",de="inner",k="mathord",C="op-token",U="open",Ee="punct",c="r\
el",ne="spacing",m="textord";n(o,c,"≡","\\equiv",!0);n(o,c,"≺","\\prec",!0);n(o,c,"≻","\\succ",!0);n(o,c,"∼","\\s\
im",!0);n(o,c,"⟂","\\perp",!0);n(o,c,"⪯","\\preceq",!0);n(o,c,"⪰","\\succeq",!0);n(o,c,"≃","\\simeq",!0);n(o,c,"\
≌","\\backcong",!0);n(o,c,"|","\\mid",!0);n(o,c,"≪","\\ll",!0);n(o,c,"≫","\\gg",!0);n(o,c,"≍","\\asymp",!0);n(o,
c,"∥","\\parallel");n(o,c,"⌣","\\smile",!0);n(o,c,"⊑","\\sqsubseteq",!0);n(o,c,"⊒","\\sqsupseteq",!0);n(o,c,"≐",
"\\doteq",!0);n(o,c,"⌢","\\frown",!0);n(o,c,"∋","\\ni",!0);n(o,c,"∌","\\notni",!0);n(o,c,"∝","\\propto",!0);n(o,
c,"⊢","\\vdash",!0);n(o,c,"⊣","\\dashv",!0);n(o,c,"∋","\\owns");n(o,c,"≘","\\arceq",!0);n(o,c,"≙","\\wedgeq",!0);
n(o,c,"≚","\\veeeq",!0);n(o,c,"≛","\\stareq",!0);n(o,c,"≝","\\eqdef",!0);n(o,c,"≞","\\measeq",!0);n(o,c,"≟","\\\
questeq",!0);n(o,c,"≠","\\ne",!0);n(o,c,"≠","\\neq");n(o,c,"⩵","\\eqeq",!0);n(o,c,"⩶","\\eqeqeq",!0);n(o,c,"∷",
"\\dblcolon",!0);n(o,c,"≔","\\coloneqq",!0);n(o,c,"≕","\\eqqcolon",!0);n(o,c,"∹","\\eqcolon",!0);n(o,c,"⩴","\\Col\
oneqq",!0);n(o,Ee,".","\\ldotp");n(o,Ee,"·","\\cdotp");n(o,m,"#","\\#");n(f,m,"#","\\#");n(o,m,"&","\\&");n(f,m,"&","\\&");
n(o,m,"ℵ","\\aleph",!0);n(o,m,"∀","\\forall",!0);n(o,m,"ℏ","\\hbar",!0);n(o,m,"∃","\\exists",!0);n(o,U,"∇","\\n\
abla",!0);n(o,m,"♭","\\flat",!0);n(o,m,"ℓ","\\ell",!0);n(o,m,"♮","\\natural",!0);n(o,m,"Å","\\Angstrom",!0);n(f,
m,"Å","\\Angstrom",!0);n(o,m,"♣","\\clubsuit",!0);n(o,m,"♧","\\varclubsuit",!0);n(o,m,"℘","\\wp",!0);n(o,m,"♯",
"\\sharp",!0);n(o,m,"♢","\\diamondsuit",!0);n(o,m,"♦","\\vardiamondsuit",!0);n(o,m,"ℜ","\\Re",!0);n(o,m,"♡","\\he\
artsuit",!0);n(o,m,"♥","\\varheartsuit",!0);n(o,m,"ℑ","\\Im",!0);n(o,m,"♠","\\spadesuit",!0);n(o,m,"♤","\\varspad\
esuit",!0);n(o,m,"♀","\\female",!0);n(o,m,"♂","\\male",!0);n(o,m,"§","\\S",!0);n(f,m,"§","\\S");n(o,m,"¶","\\P",!0);
n(f,m,"¶","\\P");n(f,m,"☺","\\smiley",!0);n(o,m,"☺","\\smiley",!0);n(o,m,"†","\\dag");n(f,m,"†","\\dag");n(f,m,
"†","\\textdagger");n(o,m,"‡","\\ddag");n(f,m,"‡","\\ddag");n(f,m,"‡","\\textdaggerdbl");n(o,j,"⎱","\\rmoustach\
e",!0);n(o,U,"⎰","\\lmoustache",!0);n(o,j,"⟯","\\rgroup",!0);n(o,U,"⟮","\\lgroup",!0);n(o,b,"∓","\\mp",!0);n(o,b,
"⊖","\\ominus",!0);n(o,b,"⊎","\\uplus",!0);n(o,b,"⊓","\\sqcap",!0);n(o,b,"∗","\\ast");n(o,b,"⊔","\\sqcup",!0);
n(o,b,"◯","\\bigcirc",!0);n(o,b,"∙","\\bullet",!0);n(o,b,"‡","\\ddagger");n(o,b,"≀","\\wr",!0);n(o,b,"⨿","\\ama\
lg");n(o,b,"&","\\And");n(o,b,"⫽","\\sslash",!0);n(o,c,"⟵","\\longleftarrow",!0);n(o,c,"⇐","\\Leftarrow",!0);n(o,c,
"⟸","\\Longleftarrow",!0);n(o,c,"⟶","\\longrightarrow",!0);n(o,c,"⇒","\\Rightarrow",!0);n(o,c,"⟹","\\Longrightarr\
ow",!0);n(o,c,"↔","\\leftrightarrow",!0);n(o,c,"⟷","\\longleftrightarrow",!0);n(o,c,"⇔","\\Leftrightarrow",!0);n(o,
c,"⟺","\\Longleftrightarrow",!0);n(o,c,"↤","\\mapsfrom",!0);n(o,c,"↦","\\mapsto",!0);n(o,c,"⟼","\\longmapsto",!0);
n(o,c,"↗","\\nearrow",!0);n(o,c,"↩","\\hookleftarrow",!0);n(o,c,"↪","\\hookrightarrow",!0);n(o,c,"↘","\\searrow",
!0);n(o,c,"↼","\\leftharpoonup",!0);n(o,c,"⇀","\\rightharpoonup",!0);n(o,c,"↙","\\swarrow",!0);n(o,c,"↽","\\lefth\
arpoondown",!0);n(o,c,"⇁","\\rightharpoondown",!0);n(o,c,"↖","\\nwarrow",!0);n(o,c,"⇌","\\rightleftharpoons",!0);n(
o,k,"↯","\\lightning",!0);n(o,k,"∎","\\QED",!0);n(o,k,"‰","\\permil",!0);n(f,m,"‰","\\permil");n(o,k,"☉","\\ast\
rosun",!0);n(o,k,"☼","\\sun",!0);n(o,k,"☾","\\leftmoon",!0);n(o,k,"☽","\\rightmoon",!0);n(o,k,"⊕","\\Earth");n(o,
c,"≮","\\nless",!0);n(o,c,"⪇","\\lneq",!0);n(o,c,"≨","\\lneqq",!0);n(o,c,"≨︀","\\lvertneqq");n(o,c,"⋦","\\lns\
im",!0);n(o,c,"⪉","\\lnapprox",!0);n(o,c,"⊀","\\nprec",!0);n(o,c,"⋠","\\npreceq",!0);n(o,c,"⋨","\\precnsim",!0);
n(o,c,"⪹","\\precnapprox",!0);n(o,c,"≁","\\nsim",!0);n(o,c,"∤","\\nmid",!0);n(o,c,"∤","\\nshortmid");n(o,c,"⊬",
"\\nvdash",!0);n(o,c,"⊭","\\nvDash",!0);n(o,c,"⋪","\\ntriangleleft");n(o,c,"⋬","\\ntrianglelefteq",!0);n(o,c,"⊄",
"\\nsubset",!0);n(o,c,"⊅","\\nsupset",!0);n(o,c,"⊊","\\subsetneq",!0);n(o,c,"⊊︀","\\varsubsetneq");n(o,c,"⫋","\
\\subsetneqq",!0);n(o,c,"⫋︀","\\varsubsetneqq");n(o,c,"≯","\\ngtr",!0);n(o,c,"⪈","\\gneq",!0);n(o,c,"≩","\\gneq\
q",!0);n(o,c,"≩︀","\\gvertneqq");n(o,c,"⋧","\\gnsim",!0);n(o,c,"⪊","\\gnapprox",!0);n(o,c,"⊁","\\nsucc",!0);n(
o,c,"⋡","\\nsucceq",!0);n(o,c,"⋩","\\succnsim",!0);n(o,c,"⪺","\\succnapprox",!0);n(o,c,"≆","\\ncong",!0);n(o,c,"\
∦","\\nparallel",!0);n(o,c,"∦","\\nshortparallel");n(o,c,"⊯","\\nVDash",!0);n(o,c,"⋫","\\ntriangleright");n(o,c,
"⋭","\\ntrianglerighteq",!0);n(o,c,"⊋","\\supsetneq",!0);n(o,c,"⊋","\\varsupsetneq");n(o,c,"⫌","\\supsetneqq",!0);
n(o,c,"⫌︀","\\varsupsetneqq");n(o,c,"⊮","\\nVdash",!0);n(o,c,"⪵","\\precneqq",!0);n(o,c,"⪶","\\succneqq",!0);n(
o,b,"⊴","\\unlhd");n(o,b,"⊵","\\unrhd");n(o,c,"↚","\\nleftarrow",!0);n(o,c,"↛","\\nrightarrow",!0);n(o,c,"⇍","\
\\nLeftarrow",!0);n(o,c,"⇏","\\nRightarrow",!0);n(o,c,"↮","\\nleftrightarrow",!0);n(o,c,"⇎","\\nLeftrightarrow",!0);
n(o,c,"△","\\vartriangle");n(o,m,"ℏ","\\hslash");n(o,m,"▽","\\triangledown");n(o,m,"◊","\\lozenge");n(o,m,"Ⓢ",
"\\circledS");n(o,m,"®","\\circledR",!0);n(f,m,"®","\\circledR");n(f,m,"®","\\textregistered");n(o,m,"∡","\\measured\
angle",!0);n(o,m,"∄","\\nexists");n(o,m,"℧","\\mho");n(o,m,"Ⅎ","\\Finv",!0);n(o,m,"⅁","\\Game",!0);n(o,m,"‵","\
\\backprime");n(o,m,"‶","\\backdprime");n(o,m,"‷","\\backtrprime");n(o,m,"▲","\\blacktriangle");n(o,m,"▼","\\blac\
ktriangledown");n(o,m,"■","\\blacksquare");n(o,m,"⧫","\\blacklozenge");n(o,m,"★","\\bigstar");n(o,m,"∢","\\spheri\
calangle",!0);n(o,m,"∁","\\complement",!0);n(o,m,"╱","\\diagup");n(o,m,"╲","\\diagdown");n(o,m,"□","\\square");n(
o,m,"□","\\Box");n(o,m,"◊","\\Diamond");n(o,m,"¥","\\yen",!0);n(f,m,"¥","\\yen",!0);n(o,m,"✓","\\checkmark",!0);
n(f,m,"✓","\\checkmark");n(o,m,"✗","\\ballotx",!0);n(f,m,"✗","\\ballotx");n(f,m,"•","\\textbullet");n(o,m,"ℶ",
"\\beth",!0);n(o,m,"ℸ","\\daleth",!0);n(o,m,"ℷ","\\gimel",!0);n(o,m,"ϝ","\\digamma",!0);n(o,m,"ϰ","\\varkappa");n(
o,U,"⌜","\\ulcorner",!0);n(o,j,"⌝","\\urcorner",!0);n(o,U,"⌞","\\llcorner",!0);n(o,j,"⌟","\\lrcorner",!0);n(o,c,
"≦","\\leqq",!0);n(o,c,"⩽","\\leqslant",!0);n(o,c,"⪕","\\eqslantless",!0);n(o,c,"≲","\\lesssim",!0);n(o,c,"⪅",
"\\lessapprox",!0);n(o,c,"≊","\\approxeq",!0);n(o,b,"⋖","\\lessdot");n(o,c,"⋘","\\lll",!0);n(o,c,"≶","\\lessgtr",
!0);n(o,c,"⋚","\\lesseqgtr",!0);n(o,c,"⪋","\\lesseqqgtr",!0);n(o,c,"≑","\\doteqdot");n(o,c,"≓","\\risingdotseq",
!0);n(o,c,"≒","\\fallingdotseq",!0);n(o,c,"∽","\\backsim",!0);n(o,c,"⋍","\\backsimeq",!0);n(o,c,"⫅","\\subseteqq",
!0);n(o,c,"⋐","\\Subset",!0);n(o,c,"⊏","\\sqsubset",!0);n(o,c,"≼","\\preccurlyeq",!0);n(o,c,"⋞","\\curlyeqprec",
!0);n(o,c,"≾","\\precsim",!0);n(o,c,"⪷","\\precapprox",!0);n(o,c,"⊲","\\vartriangleleft");n(o,c,"⊴","\\trianglele\
fteq");n(o,c,"⊨","\\vDash",!0);n(o,c,"⊫","\\VDash",!0);n(o,c,"⊪","\\Vvdash",!0);n(o,c,"⌣","\\smallsmile");n(o,c,
"⌢","\\smallfrown");n(o,c,"≏","\\bumpeq",!0);n(o,c,"≎","\\Bumpeq",!0);n(o,c,"≧","\\geqq",!0);n(o,c,"⩾","\\geqsl\
ant",!0);n(o,c,"⪖","\\eqslantgtr",!0);n(o,c,"≳","\\gtrsim",!0);n(o,c,"⪆","\\gtrapprox",!0);n(o,b,"⋗","\\gtrdot");
n(o,c,"⋙","\\ggg",!0);n(o,c,"≷","\\gtrless",!0);n(o,c,"⋛","\\gtreqless",!0);n(o,c,"⪌","\\gtreqqless",!0);n(o,c,"\
≖","\\eqcirc",!0);n(o,c,"≗","\\circeq",!0);n(o,c,"≜","\\triangleq",!0);n(o,c,"∼","\\thicksim");n(o,c,"≈","\\thi\
ckapprox");n(o,c,"⫆","\\supseteqq",!0);n(o,c,"⋑","\\Supset",!0);n(o,c,"⊐","\\sqsupset",!0);n(o,c,"≽","\\succcurly\
eq",!0);n(o,c,"⋟","\\curlyeqsucc",!0);n(o,c,"≿","\\succsim",!0);n(o,c,"⪸","\\succapprox",!0);n(o,c,"⊳","\\vartria\
ngleright");n(o,c,"⊵","\\trianglerighteq");n(o,c,"⊩","\\Vdash",!0);n(o,c,"∣","\\shortmid");n(o,c,"∥","\\shortpara\
llel");n(o,c,"≬","\\between",!0);n(o,c,"⋔","\\pitchfork",!0);n(o,c,"∝","\\varpropto");n(o,c,"◀","\\blacktrianglel\
eft");n(o,c,"∴","\\therefore",!0);n(o,c,"∍","\\backepsilon");n(o,c,"▶","\\blacktriangleright");n(o,c,"∵","\\becau\
se",!0);n(o,c,"⋘","\\llless");n(o,c,"⋙","\\gggtr");n(o,b,"⊲","\\lhd");n(o,b,"⊳","\\rhd");n(o,c,"≂","\\eqsim",!0);
n(o,c,"≑","\\Doteq",!0);n(o,c,"⥽","\\strictif",!0);n(o,c,"⥼","\\strictfi",!0);n(o,b,"∔","\\dotplus",!0);n(o,b,"∖",
"\\smallsetminus");n(o,b,"⋒","\\Cap",!0);n(o,b,"⋓","\\Cup",!0);n(o,b,"⩞","\\doublebarwedge",!0);n(o,b,"⊟","\\boxm\
inus",!0);n(o,b,"⊞","\\boxplus",!0);n(o,b,"⧄","\\boxslash",!0);n(o,b,"⋇","\\divideontimes",!0);n(o,b,"⋉","\\ltime\
s",!0);n(o,b,"⋊","\\rtimes",!0);n(o,b,"⋋","\\leftthreetimes",!0);n(o,b,"⋌","\\rightthreetimes",!0);n(o,b,"⋏","\\c\
urlywedge",!0);n(o,b,"⋎","\\curlyvee",!0);n(o,b,"⊝","\\circleddash",!0);n(o,b,"⊛","\\circledast",!0);n(o,b,"⊺","\
\\intercal",!0);n(o,b,"⋒","\\doublecap");n(o,b,"⋓","\\doublecup");n(o,b,"⊠","\\boxtimes",!0);n(o,b,"⋈","\\bowtie",
!0);n(o,b,"⋈","\\Join");n(o,b,"⟕","\\leftouterjoin",!0);n(o,b,"⟖","\\rightouterjoin",!0);n(o,b,"⟗","\\fullouterjo\
in",!0);n(o,b,"∸","\\dotminus",!0);n(o,b,"⟑","\\wedgedot",!0);n(o,b,"⟇","\\veedot",!0);n(o,b,"⩢","\\doublebarvee",
!0);n(o,b,"⩣","\\veedoublebar",!0);n(o,b,"⩟","\\wedgebar",!0);n(o,b,"⩠","\\wedgedoublebar",!0);n(o,b,"⩔","\\Vee",
!0);n(o,b,"⩓","\\Wedge",!0);n(o,b,"⩃","\\barcap",!0);n(o,b,"⩂","\\barcup",!0);n(o,b,"⩈","\\capbarcup",!0);n(o,b,
"⩀","\\capdot",!0);n(o,b,"⩇","\\capovercup",!0);n(o,b,"⩆","\\cupovercap",!0);n(o,b,"⩍","\\closedvarcap",!0);n(o,
b,"⩌","\\closedvarcup",!0);n(o,b,"⨪","\\minusdot",!0);n(o,b,"⨫","\\minusfdots",!0);n(o,b,"⨬","\\minusrdots",!0);
n(o,b,"⊻","\\Xor",!0);n(o,b,"⊼","\\Nand",!0);n(o,b,"⊽","\\Nor",!0);n(o,b,"⊽","\\barvee");n(o,b,"⫴","\\interleav\
e",!0);n(o,b,"⧢","\\shuffle",!0);n(o,b,"⫶","\\threedotcolon",!0);n(o,b,"⦂","\\typecolon",!0);n(o,b,"∾","\\invlazy\
s",!0);n(o,b,"⩋","\\twocaps",!0);n(o,b,"⩊","\\twocups",!0);n(o,b,"⩎","\\Sqcap",!0);n(o,b,"⩏","\\Sqcup",!0);n(o,b,
"⩖","\\veeonvee",!0);n(o,b,"⩕","\\wedgeonwedge",!0);n(o,b,"⧗","\\blackhourglass",!0);n(o,b,"⧆","\\boxast",!0);n(
o,b,"⧈","\\boxbox",!0);n(o,b,"⧇","\\boxcircle",!0);n(o,b,"⊜","\\circledequal",!0);n(o,b,"⦷","\\circledparallel",
!0);n(o,b,"⦶","\\circledvert",!0);n(o,b,"⦵","\\circlehbar",!0);n(o,b,"⟡","\\concavediamond",!0);n(o,b,"⟢","\\conc\
avediamondtickleft",!0);n(o,b,"⟣","\\concavediamondtickright",!0);n(o,b,"⋄","\\diamond",!0);n(o,b,"⧖","\\hourglass",
!0);n(o,b,"⟠","\\lozengeminus",!0);n(o,b,"⌽","\\obar",!0);n(o,b,"⦸","\\obslash",!0);n(o,b,"⨸","\\odiv",!0);n(o,b,
"⧁","\\ogreaterthan",!0);n(o,b,"⧀","\\olessthan",!0);n(o,b,"⦹","\\operp",!0);n(o,b,"⨷","\\Otimes",!0);n(o,b,"⨶",
"\\otimeshat",!0);n(o,b,"⋆","\\star",!0);n(o,b,"△","\\triangle",!0);n(o,b,"⨺","\\triangleminus",!0);n(o,b,"⨹","\\\
triangleplus",!0);n(o,b,"⨻","\\triangletimes",!0);n(o,b,"⟤","\\whitesquaretickleft",!0);n(o,b,"⟥","\\whitesquaretic\
kright",!0);n(o,b,"⨳","\\smashtimes",!0);n(o,c,"⇢","\\dashrightarrow",!0);n(o,c,"⇠","\\dashleftarrow",!0);n(o,c,"⇇",
"\\leftleftarrows",!0);n(o,c,"⇆","\\leftrightarrows",!0);n(o,c,"⇚","\\Lleftarrow",!0);n(o,c,"↞","\\twoheadleftarrow",
!0);n(o,c,"↢","\\leftarrowtail",!0);n(o,c,"↫","\\looparrowleft",!0);n(o,c,"⇋","\\leftrightharpoons",!0);n(o,c,"↶",
"\\curvearrowleft",!0);n(o,c,"↺","\\circlearrowleft",!0);n(o,c,"↰","\\Lsh",!0);n(o,c,"⇈","\\upuparrows",!0);n(o,c,
"↿","\\upharpoonleft",!0);n(o,c,"⇃","\\downharpoonleft",!0);n(o,c,"⊶","\\origof",!0);n(o,c,"⊷","\\imageof",!0);n(
o,c,"⊸","\\multimap",!0);n(o,c,"↭","\\leftrightsquigarrow",!0);n(o,c,"⇉","\\rightrightarrows",!0);n(o,c,"⇄","\\ri\
ghtleftarrows",!0);n(o,c,"↠","\\twoheadrightarrow",!0);n(o,c,"↣","\\rightarrowtail",!0);n(o,c,"↬","\\looparrowright",
!0);n(o,c,"↷","\\curvearrowright",!0);n(o,c,"↻","\\circlearrowright",!0);n(o,c,"↱","\\Rsh",!0);n(o,c,"⇊","\\downd\
ownarrows",!0);n(o,c,"↾","\\upharpoonright",!0);n(o,c,"⇂","\\downharpoonright",!0);n(o,c,"⇝","\\rightsquigarrow",!0);
n(o,c,"⇝","\\leadsto");n(o,c,"⇛","\\Rrightarrow",!0);n(o,c,"↾","\\restriction");n(o,m,"‘","`");n(o,m,"$","\\$");
n(f,m,"$","\\$");n(f,m,"$","\\textdollar");n(o,m,"¢","\\cent");n(f,m,"¢","\\cent");n(o,m,"%","\\%");n(f,m,"%","\\%");n(
o,m,"_","\\_");n(f,m,"_","\\_");n(f,m,"_","\\textunderscore");n(f,m,"␣","\\textvisiblespace",!0);n(o,m,"∠","\\angle",
!0);n(o,m,"∞","\\infty",!0);n(o,m,"′","\\prime");n(o,m,"″","\\dprime");n(o,m,"‴","\\trprime");n(o,m,"⁗","\\qpri\
me");n(o,m,"△","\\triangle");n(f,m,"Α","\\Alpha",!0);n(f,m,"Β","\\Beta",!0);n(f,m,"Γ","\\Gamma",!0);n(f,m,"Δ","\\De\
lta",!0);n(f,m,"Ε","\\Epsilon",!0);n(f,m,"Ζ","\\Zeta",!0);n(f,m,"Η","\\Eta",!0);n(f,m,"Θ","\\Theta",!0);n(f,m,"Ι","\
\\Iota",!0);n(f,m,"Κ","\\Kappa",!0);n(f,m,"Λ","\\Lambda",!0);n(f,m,"Μ","\\Mu",!0);n(f,m,"Ν","\\Nu",!0);n(f,m,"Ξ","\\\
Xi",!0);n(f,m,"Ο","\\Omicron",!0);n(f,m,"Π","\\Pi",!0);n(f,m,"Ρ","\\Rho",!0);n(f,m,"Σ","\\Sigma",!0);n(f,m,"Τ","\\Ta\
u",!0);n(f,m,"Υ","\\Upsilon",!0);n(f,m,"Φ","\\Phi",!0);n(f,m,"Χ","\\Chi",!0);n(f,m,"Ψ","\\Psi",!0);n(f,m,"Ω","\\Omeg\
a",!0);n(o,k,"Α","\\Alpha",!0);n(o,k,"Β","\\Beta",!0);n(o,k,"Γ","\\Gamma",!0);n(o,k,"Δ","\\Delta",!0);n(o,k,"Ε","\\E\
psilon",!0);n(o,k,"Ζ","\\Zeta",!0);n(o,k,"Η","\\Eta",!0);n(o,k,"Θ","\\Theta",!0);n(o,k,"Ι","\\Iota",!0);n(o,k,"Κ","\
\\Kappa",!0);n(o,k,"Λ","\\Lambda",!0);n(o,k,"Μ","\\Mu",!0);n(o,k,"Ν","\\Nu",!0);n(o,k,"Ξ","\\Xi",!0);n(o,k,"Ο","\\Om\
icron",!0);n(o,k,"Π","\\Pi",!0);n(o,k,"Ρ","\\Rho",!0);n(o,k,"Σ","\\Sigma",!0);n(o,k,"Τ","\\Tau",!0);n(o,k,"Υ","\\Ups\
ilon",!0);n(o,k,"Φ","\\Phi",!0);n(o,k,"Χ","\\Chi",!0);n(o,k,"Ψ","\\Psi",!0);n(o,k,"Ω","\\Omega",!0);n(o,U,"¬","\\neg",
!0);n(o,U,"¬","\\lnot");n(o,m,"⊤","\\top");n(o,m,"⊥","\\bot");n(o,m,"∅","\\emptyset");n(o,m,"⌀","\\varnothing");
n(o,k,"α","\\alpha",!0);n(o,k,"β","\\beta",!0);n(o,k,"γ","\\gamma",!0);n(o,k,"δ","\\delta",!0);n(o,k,"ϵ","\\epsilon",
!0);n(o,k,"ζ","\\zeta",!0);n(o,k,"η","\\eta",!0);n(o,k,"θ","\\theta",!0);n(o,k,"ι","\\iota",!0);n(o,k,"κ","\\kappa",
!0);n(o,k,"λ","\\lambda",!0);n(o,k,"μ","\\mu",!0);n(o,k,"ν","\\nu",!0);n(o,k,"ξ","\\xi",!0);n(o,k,"ο","\\omicron",!0);
n(o,k,"π","\\pi",!0);n(o,k,"ρ","\\rho",!0);n(o,k,"σ","\\sigma",!0);n(o,k,"τ","\\tau",!0);n(o,k,"υ","\\upsilon",!0);
n(o,k,"ϕ","\\phi",!0);n(o,k,"χ","\\chi",!0);n(o,k,"ψ","\\psi",!0);n(o,k,"ω","\\omega",!0);n(o,k,"ε","\\varepsilon",
!0);n(o,k,"ϑ","\\vartheta",!0);n(o,k,"ϖ","\\varpi",!0);n(o,k,"ϱ","\\varrho",!0);n(o,k,"ς","\\varsigma",!0);n(o,k,"φ",
"\\varphi",!0);n(o,k,"Ϙ","\\Coppa",!0);n(o,k,"ϙ","\\coppa",!0);n(o,k,"ϙ","\\varcoppa",!0);n(o,k,"Ϟ","\\Koppa",!0);n(
o,k,"ϟ","\\koppa",!0);n(o,k,"Ϡ","\\Sampi",!0);n(o,k,"ϡ","\\sampi",!0);n(o,k,"Ϛ","\\Stigma",!0);n(o,k,"ϛ","\\stigma",
!0);n(o,k,"⫫","\\Bot");n(o,m,"ð","\\eth",!0);n(f,m,"ð","ð");n(o,m,"Å","\\AA");n(f,m,"Å","\\AA",!0);n(o,m,"Æ","\\A\
E",!0);n(f,m,"Æ","\\AE",!0);n(o,m,"Ð","\\DH",!0);n(f,m,"Ð","\\DH",!0);n(o,m,"Þ","\\TH",!0);n(f,m,"Þ","\\TH",!0);n(o,
m,"ß","\\ss",!0);n(f,m,"ß","\\ss",!0);n(o,m,"å","\\aa");n(f,m,"å","\\aa",!0);n(o,m,"æ","\\ae",!0);n(f,m,"æ","\\ae",
!0);n(o,m,"ð","\\dh");n(f,m,"ð","\\dh",!0);n(o,m,"þ","\\th",!0);n(f,m,"þ","\\th",!0);n(o,m,"Đ","\\DJ",!0);n(f,m,"Đ",
"\\DJ",!0);n(o,m,"đ","\\dj",!0);n(f,m,"đ","\\dj",!0);n(o,m,"Ł","\\L",!0);n(f,m,"Ł","\\L",!0);n(o,m,"Ł","\\l",!0);n(
f,m,"Ł","\\l",!0);n(o,m,"Ŋ","\\NG",!0);n(f,m,"Ŋ","\\NG",!0);n(o,m,"ŋ","\\ng",!0);n(f,m,"ŋ","\\ng",!0);n(o,m,"Œ","\\\
OE",!0);n(f,m,"Œ","\\OE",!0);n(o,m,"œ","\\oe",!0);n(f,m,"œ","\\oe",!0);n(o,b,"∗","∗",!0);n(o,b,"+","+");n(o,b,"∗",
"*");n(o,b,"⁄","/",!0);n(o,b,"⁄","⁄");n(o,b,"−","-",!0);n(o,b,"⋅","\\cdot",!0);n(o,b,"∘","\\circ",!0);n(o,b,
"÷","\\div",!0);n(o,b,"±","\\pm",!0);n(o,b,"×","\\times",!0);n(o,b,"∩","\\cap",!0);n(o,b,"∪","\\cup",!0);n(o,b,"∖",
"\\setminus",!0);n(o,b,"∧","\\land");n(o,b,"∨","\\lor");n(o,b,"∧","\\wedge",!0);n(o,b,"∨","\\vee",!0);n(o,U,"⟦",
"\\llbracket",!0);n(o,j,"⟧","\\rrbracket",!0);n(o,U,"⟨","\\langle",!0);n(o,U,"⟪","\\lAngle",!0);n(o,U,"⦉","\\llan\
gle",!0);n(o,U,"|","\\lvert");n(o,U,"‖","\\lVert",!0);n(o,m,"!","\\oc");n(o,m,"?","\\wn");n(o,m,"↓","\\shpos");n(o,m,
"↕","\\shift");n(o,m,"↑","\\shneg");n(o,j,"?","?");n(o,j,"!","!");n(o,j,"‼","‼");n(o,j,"⟩","\\rangle",!0);n(o,
j,"⟫","\\rAngle",!0);n(o,j,"⦊","\\rrangle",!0);n(o,j,"|","\\rvert");n(o,j,"‖","\\rVert");n(o,U,"⦃","\\lBrace",!0);
n(o,j,"⦄","\\rBrace",!0);n(o,c,"=","\\equal",!0);n(o,c,":",":");n(o,c,"≈","\\approx",!0);n(o,c,"≅","\\cong",!0);n(
o,c,"≥","\\ge");n(o,c,"≥","\\geq",!0);n(o,c,"←","\\gets");n(o,c,">","\\gt",!0);n(o,c,"∈","\\in",!0);n(o,c,"∉",
"\\notin",!0);n(o,c,"","\\@not");n(o,c,"⊂","\\subset",!0);n(o,c,"⊃","\\supset",!0);n(o,c,"⊆","\\subseteq",!0);n(
o,c,"⊇","\\supseteq",!0);n(o,c,"⊈","\\nsubseteq",!0);n(o,c,"⊈","\\nsubseteqq");n(o,c,"⊉","\\nsupseteq",!0);n(o,c,
"⊉","\\nsupseteqq");n(o,c,"⊨","\\models");n(o,c,"←","\\leftarrow",!0);n(o,c,"≤","\\le");n(o,c,"≤","\\leq",!0);
n(o,c,"<","\\lt",!0);n(o,c,"→","\\rightarrow",!0);n(o,c,"→","\\to");n(o,c,"≱","\\ngeq",!0);n(o,c,"≱","\\ngeqq");
n(o,c,"≱","\\ngeqslant");n(o,c,"≰","\\nleq",!0);n(o,c,"≰","\\nleqq");n(o,c,"≰","\\nleqslant");n(o,c,"⫫","\\Perp",
!0);n(o,ne," ","\\ ");n(o,ne," ","\\space");n(o,ne," ","\\nobreakspace");n(f,ne," ","\\ ");n(f,ne," "," ");n(f,ne,"\
 ","\\space");n(f,ne," ","\\nobreakspace");n(o,ne,null,"\\nobreak");n(o,ne,null,"\\allowbreak");n(o,Ee,",",",");n(f,Ee,
":",":");n(o,Ee,";",";");n(o,b,"⊼","\\barwedge");n(o,b,"⊻","\\veebar");n(o,b,"⊙","\\odot",!0);n(o,b,"⊕︎","\\opl\
us");n(o,b,"⊗","\\otimes",!0);n(o,m,"∂","\\partial",!0);n(o,b,"⊘","\\oslash",!0);n(o,b,"⊚","\\circledcirc",!0);n(
o,b,"⊡","\\boxdot",!0);n(o,b,"△","\\bigtriangleup");n(o,b,"▽","\\bigtriangledown");n(o,b,"†","\\dagger");n(o,b,"\
⋄","\\diamond");n(o,b,"◃","\\triangleleft");n(o,b,"▹","\\triangleright");n(o,U,"{","\\{");n(f,m,"{","\\{");n(f,m,"\
{","\\textbraceleft");n(o,j,"}","\\}");n(f,m,"}","\\}");n(f,m,"}","\\textbraceright");n(o,U,"{","\\lbrace");n(o,j,"}","\\\
rbrace");n(o,U,"[","\\lbrack",!0);n(f,m,"[","\\lbrack",!0);n(o,j,"]","\\rbrack",!0);n(f,m,"]","\\rbrack",!0);n(o,U,"(","\
\\lparen",!0);n(o,j,")","\\rparen",!0);n(o,U,"⦇","\\llparenthesis",!0);n(o,j,"⦈","\\rrparenthesis",!0);n(f,m,"<","\\t\
extless",!0);n(f,m,">","\\textgreater",!0);n(o,U,"⌊","\\lfloor",!0);n(o,j,"⌋","\\rfloor",!0);n(o,U,"⌈","\\lceil",!0);
n(o,j,"⌉","\\rceil",!0);n(o,m,"\\","\\backslash");n(o,m,"|","|");n(o,m,"|","\\vert");n(f,m,"|","\\textbar",!0);n(o,m,"\
‖","\\|");n(o,m,"‖","\\Vert");n(f,m,"‖","\\textbardbl");n(f,m,"~","\\textasciitilde");n(f,m,"\\","\\textbackslash");
n(f,m,"^","\\textasciicircum");n(o,c,"↑","\\uparrow",!0);n(o,c,"⇑","\\Uparrow",!0);n(o,c,"↓","\\downarrow",!0);n(o,
c,"⇓","\\Downarrow",!0);n(o,c,"↕","\\updownarrow",!0);n(o,c,"⇕","\\Updownarrow",!0);n(o,C,"∐","\\coprod");n(o,C,
"⋁","\\bigvee");n(o,C,"⋀","\\bigwedge");n(o,C,"⨄","\\biguplus");n(o,C,"⨄","\\bigcupplus");n(o,C,"⨃","\\bigcupdo\
t");n(o,C,"⨇","\\bigdoublevee");n(o,C,"⨈","\\bigdoublewedge");n(o,C,"⋂","\\bigcap");n(o,C,"⋃","\\bigcup");n(o,C,
"∫","\\int");n(o,C,"∫","\\intop");n(o,C,"∬","\\iint");n(o,C,"∭","\\iiint");n(o,C,"∏","\\prod");n(o,C,"∑","\\s\
um");n(o,C,"⨂","\\bigotimes");n(o,C,"⨁","\\bigoplus");n(o,C,"⨀","\\bigodot");n(o,C,"⨉","\\bigtimes");n(o,C,"∮",
"\\oint");n(o,C,"∯","\\oiint");n(o,C,"∰","\\oiiint");n(o,C,"∱","\\intclockwise");n(o,C,"∲","\\varointclockwise");
n(o,C,"⨌","\\iiiint");n(o,C,"⨍","\\intbar");n(o,C,"⨎","\\intBar");n(o,C,"⨏","\\fint");n(o,C,"⨒","\\rppolint");
n(o,C,"⨓","\\scpolint");n(o,C,"⨕","\\pointint");n(o,C,"⨖","\\sqint");n(o,C,"⨗","\\intlarhk");n(o,C,"⨘","\\intx");
n(o,C,"⨙","\\intcap");n(o,C,"⨚","\\intcup");n(o,C,"⨅","\\bigsqcap");n(o,C,"⨆","\\bigsqcup");n(o,C,"∫","\\smalli\
nt");n(f,de,"…","\\textellipsis");n(o,de,"…","\\mathellipsis");n(f,de,"…","\\ldots",!0);n(o,de,"…","\\ldots",!0);
n(o,de,"⋰","\\iddots",!0);n(o,de,"⋯","\\@cdots",!0);n(o,de,"⋱","\\ddots",!0);n(o,m,"⋮","\\varvdots");n(f,m,"⋮",
"\\varvdots");n(o,O,"´","\\acute");n(o,O,"`","\\grave");n(o,O,"¨","\\ddot");n(o,O,"…","\\dddot");n(o,O,"….","\\dddd\
ot");n(o,O,"~","\\tilde");n(o,O,"‾","\\bar");n(o,O,"˘","\\breve");n(o,O,"ˇ","\\check");n(o,O,"ˆ","\\hat");n(o,O,"→",
"\\vec");n(o,O,"˙","\\dot");n(o,O,"˚","\\mathring");n(o,k,"ı","\\imath",!0);n(o,k,"ȷ","\\jmath",!0);n(o,m,"ı","ı");
n(o,m,"ȷ","ȷ");n(f,m,"ı","\\i",!0);n(f,m,"ȷ","\\j",!0);n(f,m,"ø","\\o",!0);n(o,k,"ø","\\o",!0);n(f,m,"Ø","\\O",!0);
n(o,k,"Ø","\\O",!0);n(f,O,"ˊ","\\'");n(f,O,"ˋ","\\`");n(f,O,"ˆ","\\^");n(f,O,"~","\\~");n(f,O,"ˉ","\\=");n(f,O,"˘",
"\\u");n(f,O,"˙","\\.");n(f,O,"¸","\\c");n(f,O,"˚","\\r");n(f,O,"ˇ","\\v");n(f,O,"¨",'\\"');n(f,O,"˝","\\H");n(o,O,
"ˊ","\\'");n(o,O,"ˋ","\\`");n(o,O,"ˆ","\\^");n(o,O,"~","\\~");n(o,O,"ˉ","\\=");n(o,O,"˘","\\u");n(o,O,"˙","\\.");n(
o,O,"¸","\\c");n(o,O,"˚","\\r");n(o,O,"ˇ","\\v");n(o,O,"¨",'\\"');n(o,O,"˝","\\H");var Ht={"--":!0,"---":!0,"``":!0,
"''":!0};n(f,m,"–","--",!0);n(f,m,"–","\\textendash");n(f,m,"—","---",!0);n(f,m,"—","\\textemdash");n(f,m,"‘",
"`",!0);n(f,m,"‘","\\textquoteleft");n(f,m,"’","'",!0);n(f,m,"’","\\textquoteright");n(f,m,"“","``",!0);n(f,m,"“",
"\\textquotedblleft");n(f,m,"”","''",!0);n(f,m,"”","\\textquotedblright");n(o,m,"°","\\degree",!0);n(f,m,"°","\\deg\
ree");n(f,m,"°","\\textdegree",!0);n(o,m,"£","\\pounds");n(o,m,"£","\\mathsterling",!0);n(f,m,"£","\\pounds");n(f,m,
"£","\\textsterling",!0);n(o,m,"✠","\\maltese");n(f,m,"✠","\\maltese");n(o,m,"€","\\euro",!0);n(f,m,"€","\\euro",
!0);n(f,m,"€","\\texteuro");n(o,m,"©","\\copyright",!0);n(f,m,"©","\\textcopyright");n(o,m,"⌀","\\diameter",!0);n(
f,m,"⌀","\\diameter");n(o,m,"𝛤","\\varGamma");n(o,m,"𝛥","\\varDelta");n(o,m,"𝛩","\\varTheta");n(o,m,"𝛬","\\\
varLambda");n(o,m,"𝛯","\\varXi");n(o,m,"𝛱","\\varPi");n(o,m,"𝛴","\\varSigma");n(o,m,"𝛶","\\varUpsilon");n(o,
m,"𝛷","\\varPhi");n(o,m,"𝛹","\\varPsi");n(o,m,"𝛺","\\varOmega");n(f,m,"𝛤","\\varGamma");n(f,m,"𝛥","\\varDe\
lta");n(f,m,"𝛩","\\varTheta");n(f,m,"𝛬","\\varLambda");n(f,m,"𝛯","\\varXi");n(f,m,"𝛱","\\varPi");n(f,m,"𝛴",
"\\varSigma");n(f,m,"𝛶","\\varUpsilon");n(f,m,"𝛷","\\varPhi");n(f,m,"𝛹","\\varPsi");n(f,m,"𝛺","\\varOmega");
var Rt='0123456789/@."';for(let e=0;e<Rt.length;e++){let t=Rt.charAt(e);n(o,m,t,t)}var Gt='0123456789!@*()-=+";:?/.,';for(let e=0;e<
Gt.length;e++){let t=Gt.charAt(e);n(f,m,t,t)}var Ye="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";for(let e=0;e<
Ye.length;e++){let t=Ye.charAt(e);n(o,k,t,t),n(f,m,t,t)}var $t="ÇÐÞçþℂℍℕℙℚℝℤℎℏℊℋℌℐℑℒℓ℘ℛℜℬℰℱℳℭℨ";
for(let e=0;e<$t.length;e++){let t=$t.charAt(e);n(o,k,t,t),n(f,m,t,t)}var v="";for(let e=0;e<Ye.length;e++){v=String.fromCharCode(
55349,56320+e),n(o,k,v,v),n(f,m,v,v),v=String.fromCharCode(55349,56372+e),n(o,k,v,v),n(f,m,v,v),v=String.fromCharCode(55349,
56424+e),n(o,k,v,v),n(f,m,v,v),v=String.fromCharCode(55349,56580+e),n(o,k,v,v),n(f,m,v,v),v=String.fromCharCode(55349,56736+
e),n(o,k,v,v),n(f,m,v,v),v=String.fromCharCode(55349,56788+e),n(o,k,v,v),n(f,m,v,v),v=String.fromCharCode(55349,56840+e),
n(o,k,v,v),n(f,m,v,v),v=String.fromCharCode(55349,56944+e),n(o,k,v,v),n(f,m,v,v),v=String.fromCharCode(55349,56632+e),n(
o,k,v,v),n(f,m,v,v);let t=Ye.charAt(e);v=String.fromCharCode(55349,56476+e),n(o,k,t,v),n(f,m,t,v)}for(let e=0;e<10;e++)v=
String.fromCharCode(55349,57294+e),n(o,k,v,v),n(f,m,v,v),v=String.fromCharCode(55349,57314+e),n(o,k,v,v),n(f,m,v,v),v=String.
fromCharCode(55349,57324+e),n(o,k,v,v),n(f,m,v,v),v=String.fromCharCode(55349,57334+e),n(o,k,v,v),n(f,m,v,v);function lt(e,t,r){let s=[],i=[],a=[],l=0,u=0;for(;u<e.length;){for(;e[u]instanceof ie;)e.splice(u,1,...e[u].children);let h=e[u];
if(h.attributes&&h.attributes.linebreak&&h.attributes.linebreak==="newline"){a.length>0&&i.push(new d("mrow",a)),i.push(
h),a=[];let g=new d("mtd",i);g.style.textAlign="left",s.push(new d("mtr",[g])),i=[],u+=1;continue}if(a.push(h),h.type&&h.
type==="mo"&&h.children.length===1&&!(h.attributes.form&&h.attributes.form==="prefix")&&!Object.prototype.hasOwnProperty.
call(h.attributes,"movablelimits")){let g=h.children[0].text;if(t==="="&&g==="="){if(l+=1,l>1){a.pop();let A=new d("mrow",
a);i.push(A),a=[h]}}else if(t==="tex"){let A=u<e.length-1?e[u+1]:null,T=!0;if(!(A&&A.type==="mtext"&&A.attributes.linebreak&&
A.attributes.linebreak==="nobreak"))for(let w=u+1;w<e.length;w++){let S=e[w];if(S.type&&S.type==="mspace"&&!(S.attributes.
linebreak&&S.attributes.linebreak==="newline"))a.push(S),u+=1,S.attributes&&S.attributes.linebreak&&S.attributes.linebreak===
"nobreak"&&(T=!1);else break}if(T){let w=new d("mrow",a);i.push(w),a=[]}}}u+=1}if(a.length>0){let h=new d("mrow",a);i.push(
h)}if(s.length>0){let h=new d("mtd",i);h.style.textAlign="left";let g=new d("mtr",[h]);s.push(g);let A=new d("mtable",s);
return r||(A.setAttribute("columnalign","left"),A.setAttribute("rowspacing","0em")),A}return Q(i)}var H=function(e,t,r){return P[t][e]&&P[t][e].replace&&e.charCodeAt(0)!==55349&&!(Object.prototype.hasOwnProperty.call(Ht,
e)&&r&&(r.fontFamily&&r.fontFamily.slice(4,6)==="tt"||r.font&&r.font.slice(4,6)==="tt"))&&(e=P[t][e].replace),new q(e)},
Wt=(e,t)=>{if(e.children.length===0||e.children[e.children.length-1].type!=="mtext"){let r=new d("mtext",[new q(t.children[0].
text)]);e.children.push(r)}else e.children[e.children.length-1].children[0].text+=t.children[0].text},he=e=>{if(e.type!==
"mrow"&&e.type!=="mstyle"||e.children.length===0)return e;let t=new d("mrow");for(let r=0;r<e.children.length;r++){let s=e.
children[r];if(s.type==="mtext"&&Object.keys(s.attributes).length===0)Wt(t,s);else if(s.type==="mrow"){let i=!0;for(let a=0;a<
s.children.length;a++)if(s.children[a].type!=="mtext"||Object.keys(s.attributes).length!==0){i=!1;break}if(i)for(let a=0;a<
s.children.length;a++){let l=s.children[a];Wt(t,l)}else t.children.push(s)}else t.children.push(s)}for(let r=0;r<t.children.
length;r++)if(t.children[r].type==="mtext"){let s=t.children[r];s.children[0].text.charAt(0)===" "&&(s.children[0].text=
" "+s.children[0].text.slice(1));let i=s.children[0].text.length;i>0&&s.children[0].text.charAt(i-1)===" "&&(s.children[0].
text=s.children[0].text.slice(0,-1)+" ");for(let[a,l]of Object.entries(e.attributes))s.attributes[a]=l}return t.children.
length===1&&t.children[0].type==="mtext"?t.children[0]:t},ae=function(e,t=!1){if(e.length===1&&!(e[0]instanceof ie))return e[0];
if(!t){e[0]instanceof d&&e[0].type==="mo"&&!e[0].attributes.fence&&(e[0].attributes.lspace="0em",e[0].attributes.rspace=
"0em");let r=e.length-1;e[r]instanceof d&&e[r].type==="mo"&&!e[r].attributes.fence&&(e[r].attributes.lspace="0em",e[r].attributes.
rspace="0em")}return new d("mrow",e)};function ut(e){if(!e)return!1;if(e.type==="mi"&&e.children.length===1){let t=e.children[0];
return t instanceof q&&t.text==="."}else if(e.type==="mtext"&&e.children.length===1){let t=e.children[0];return t instanceof
q&&t.text===" "}else if(e.type==="mo"&&e.children.length===1&&e.getAttribute("separator")==="true"&&e.getAttribute("ls\
pace")==="0em"&&e.getAttribute("rspace")==="0em"){let t=e.children[0];return t instanceof q&&t.text===","}else return!1}
var tn=(e,t)=>{let r=e[t],s=e[t+1];return r.type==="atom"&&r.text===","&&r.loc&&s.loc&&r.loc.end===s.loc.start},Ze=e=>e.
type==="atom"&&e.family==="rel"||e.type==="mclass"&&e.mclass==="mrel",R=function(e,t,r=!1){if(!r&&e.length===1){let l=L(
e[0],t);return l instanceof d&&l.type==="mo"&&(l.setAttribute("lspace","0em"),l.setAttribute("rspace","0em")),[l]}let s=[],
i=[],a;for(let l=0;l<e.length;l++)i.push(L(e[l],t));for(let l=0;l<i.length;l++){let u=i[l];if(l<e.length-1&&Ze(e[l])&&Ze(
e[l+1])&&u.setAttribute("rspace","0em"),l>0&&Ze(e[l])&&Ze(e[l-1])&&u.setAttribute("lspace","0em"),u.type==="mn"&&a&&a.type===
"mn"){a.children.push(...u.children);continue}else if(ut(u)&&a&&a.type==="mn"){a.children.push(...u.children);continue}else if(a&&
a.type==="mn"&&l<i.length-1&&i[l+1].type==="mn"&&tn(e,l)){a.children.push(...u.children);continue}else if(u.type==="mn"&&
ut(a))u.children=[...a.children,...u.children],s.pop();else if((u.type==="msup"||u.type==="msub")&&u.children.length>=1&&
a&&(a.type==="mn"||ut(a))){let h=u.children[0];h instanceof d&&h.type==="mn"&&a&&(h.children=[...a.children,...h.children],
s.pop())}s.push(u),a=u}return s},Y=function(e,t,r=!1){return ae(R(e,t,r),r)},L=function(e,t){if(!e)return new d("mrow");
if(xe[e.type])return xe[e.type](e,t);throw new y("Got group of unknown type: '"+e.type+"'")},Vt=e=>new d("mtd",[],[],{padding:"\
0",width:"50%"}),rn=["mrow","mtd","mtable","mtr"],mt=e=>{for(let t of e.children)if(t.type&&rn.includes(t.type)){if(t.classes&&
t.classes[0]==="tml-label")return t.label;{let r=mt(t);if(r)return r}}else if(!t.type){let r=mt(t);if(r)return r}},nn=(e,t,r,s)=>{
t=Y(t[0].body,r),t=he(t),t.classes.push("tml-tag");let i=mt(e);e=new d("mtd",[e]);let a=[Vt(),e,Vt()];a[s?0:2].children.
push(t);let l=new d("mtr",a,["tml-tageqn"]);i&&l.setAttribute("id",i);let u=new d("mtable",[l]);return u.style.width="10\
0%",u.setAttribute("displaystyle","true"),u};function ct(e,t,r,s){let i=null;e.length===1&&e[0].type==="tag"&&(i=e[0].tag,
e=e[0].body);let a=R(e,r);if(a.length===1&&a[0]instanceof we)return a[0];let l=s.displayMode||s.annotate?"none":s.wrap,u=a.
length===0?null:a[0],h=a.length===1&&i===null&&u instanceof d?a[0]:lt(a,l,s.displayMode);if(i&&(h=nn(h,i,r,s.leqno)),s.annotate){
let A=new d("annotation",[new q(t)]);A.setAttribute("encoding","application/x-tex"),h=new d("semantics",[h,A])}let g=new d(
"math",[h]);return s.xml&&g.setAttribute("xmlns","http://www.w3.org/1998/Math/MathML"),s.displayMode&&(g.setAttribute("d\
isplay","block"),g.style.display="block math",g.classes=["tml-display"]),g}var on="DHKLUcegorsuvxyzΠΥΨαδηιμνοτυχϵ",sn="BCEGIMNOPQRSTXZlpqtwΓΘΞΣΦΩβεζθξρςφψϑϕϱ",an="\
AFJdfΔΛ",Xt=(e,t)=>{let r=e.isStretchy?Ve(e):new d("mo",[H(e.label,e.mode)]);e.isStretchy||r.setAttribute("stretchy","\
false"),e.label!=="\\vec"&&(r.style.mathDepth="0");let s=e.label==="\\c"?"munder":"mover",i=un.has(e.label);if(s==="move\
r"&&e.mode==="math"&&!e.isStretchy&&e.base.text&&e.base.text.length===1){let l=e.base.text,u=e.label==="\\vec",h=u==="\\v\
ec"?"-vec":"";u&&r.classes.push("tml-vec");let g=u?"-vec":i?"-acc":"";on.indexOf(l)>-1?(r.classes.push(`chr-sml${h}`),r.
classes.push(`wbk-sml${g}`)):sn.indexOf(l)>-1?(r.classes.push(`chr-med${h}`),r.classes.push(`wbk-med${g}`)):an.indexOf(l)>
-1?(r.classes.push(`chr-lrg${h}`),r.classes.push(`wbk-lrg${g}`)):u?r.classes.push("wbk-vec"):i&&r.classes.push("wbk-acc")}else
i&&r.classes.push("wbk-acc");return new d(s,[L(e.base,t),r])},ln=new Set(["\\acute","\\check","\\grave","\\ddot","\\dddot",
"\\ddddot","\\tilde","\\bar","\\breve","\\check","\\hat","\\vec","\\dot","\\mathring"]),un=new Set(["\\acute","\\bar","\\\
breve","\\check","\\dot","\\ddot","\\grave","\\hat","\\mathring","\\`","\\'","\\^","\\=","\\u","\\.",'\\"',"\\r","\\H","\
\\v"]),_t={"\\`":"̀","\\'":"́","\\^":"̂","\\~":"̃","\\=":"̄","\\u":"̆","\\.":"̇",'\\"':"̈","\\r":"̊","\\H":"̋",
"\\v":"̌","\\c":"̧"};x({type:"accent",names:["\\acute","\\grave","\\ddot","\\dddot","\\ddddot","\\tilde","\\bar","\\bre\
ve","\\check","\\hat","\\vec","\\dot","\\mathring","\\overparen","\\widecheck","\\widehat","\\wideparen","\\widetilde","\
\\overrightarrow","\\overleftarrow","\\Overrightarrow","\\overleftrightarrow","\\overgroup","\\overleftharpoon","\\overri\
ghtharpoon"],props:{numArgs:1},handler:(e,t)=>{let r=se(t[0]),s=!ln.has(e.funcName);return{type:"accent",mode:e.parser.mode,
label:e.funcName,isStretchy:s,base:r}},mathmlBuilder:Xt});x({type:"accent",names:["\\'","\\`","\\^","\\~","\\=","\\c","\\\
u","\\.",'\\"',"\\r","\\H","\\v"],props:{numArgs:1,allowedInText:!0,allowedInMath:!0,argTypes:["primitive"]},handler:(e,t)=>{
let r=se(t[0]),s=e.parser.mode;return s==="math"&&e.parser.settings.strict&&console.log(`Temml parse error: Command ${e.
funcName} is invalid in math mode.`),s==="text"&&r.text&&r.text.length===1&&e.funcName in _t&&Ue.indexOf(r.text)>-1?{type:"\
textord",mode:"text",text:r.text+_t[e.funcName]}:e.funcName==="\\c"&&s==="text"&&r.text&&r.text.length===1?{type:"textor\
d",mode:"text",text:r.text+"̧"}:{type:"accent",mode:s,label:e.funcName,isStretchy:!1,base:r}},mathmlBuilder:Xt});x({type:"accentUnder",names:["\\underleftarrow","\\underrightarrow","\\underleftrightarrow","\\undergroup","\\underparen",
"\\utilde"],props:{numArgs:1},handler:({parser:e,funcName:t},r)=>{let s=r[0];return{type:"accentUnder",mode:e.mode,label:t,
base:s}},mathmlBuilder:(e,t)=>{let r=Ve(e);return r.style["math-depth"]=0,new d("munder",[L(e.base,t),r])}});var Yt={pt:800/803,pc:12*800/803,dd:1238/1157*800/803,cc:14856/1157*800/803,nd:685/642*800/803,nc:1370/107*800/803,sp:1/
65536*800/803,mm:25.4/72,cm:2.54/72,in:1/72,px:96/72},mn=["em","ex","mu","pt","mm","cm","in","px","bp","pc","dd","cc","n\
d","nc","sp"],Ke=function(e){return typeof e!="string"&&(e=e.unit),mn.indexOf(e)>-1},dt=e=>{let t=Math.max(e-1,0);return[
1,.7,.5][t]},_=function(e,t){let r=e.number;if(t.maxSize[0]<0&&r>0)return{number:0,unit:"em"};let s=e.unit;switch(s){case"\
mm":case"cm":case"in":case"px":return r*Yt[s]>t.maxSize[1]?{number:t.maxSize[1],unit:"pt"}:{number:r,unit:s};case"em":case"\
ex":return s==="ex"&&(r*=.431),r=Math.min(r/dt(t.level),t.maxSize[0]),{number:je(r),unit:"em"};case"bp":return r>t.maxSize[1]&&
(r=t.maxSize[1]),{number:r,unit:"pt"};case"pt":case"pc":case"dd":case"cc":case"nd":case"nc":case"sp":return r=Math.min(r*
Yt[s],t.maxSize[1]),{number:je(r),unit:"pt"};case"mu":return r=Math.min(r/18,t.maxSize[0]),{number:je(r),unit:"em"};default:
throw new y("Invalid unit: '"+s+"'")}};var $=e=>{let t=new d("mspace");return t.setAttribute("width",e+"em"),t},Je=(e,t=.3,r=0,s=!1)=>{if(e==null&&r===0)return $(
t);let i=e?[e]:[];if(t!==0&&i.unshift($(t)),r>0&&i.push($(r)),s){let a=new d("mpadded",i);return a.setAttribute("height",
"0.1px"),a}else return new d("mrow",i)},ht=(e,t)=>Number(e)/dt(t),pt=(e,t,r,s)=>{let i=Ne(e),a=e.slice(1,3)==="eq",l=e.charAt(
1)==="x"?"1.75":e.slice(2,4)==="cd"?"3.0":a?"1.0":"2.0";i.setAttribute("lspace","0"),i.setAttribute("rspace",a?"0.5em":"\
0");let u=s.withLevel(s.level<2?2:3),h=ht(l,u.level),g=ht(l,3),A=Je(null,h.toFixed(4),0),T=Je(null,g.toFixed(4),0),w=ht(
a?0:.3,u.level).toFixed(4),S,B,G=t&&t.body&&(t.body.body||t.body.length>0);if(G){let z=L(t,u);z=Je(z,w,w,e==="\\\\cdrighta\
rrow"||e==="\\\\cdleftarrow"),S=new d("mover",[z,T])}let V=r&&r.body&&(r.body.body||r.body.length>0);if(V){let z=L(r,u);
z=Je(z,w,w),B=new d("munder",[z,T])}let N;return!G&&!V?N=new d("mover",[i,A]):G&&V?N=new d("munderover",[i,B,S]):G?N=new d(
"mover",[i,S]):N=new d("munder",[i,B]),l==="3.0"&&(N.style.height="1em"),N.setAttribute("accent","false"),N};x({type:"xA\
rrow",names:["\\xleftarrow","\\xrightarrow","\\xLeftarrow","\\xRightarrow","\\xleftrightarrow","\\xLeftrightarrow","\\xho\
okleftarrow","\\xhookrightarrow","\\xmapsto","\\xrightharpoondown","\\xrightharpoonup","\\xleftharpoondown","\\xleftharpo\
onup","\\xlongequal","\\xtwoheadrightarrow","\\xtwoheadleftarrow","\\xtofrom","\\xleftrightharpoons","\\xrightleftharpoon\
s","\\yields","\\yieldsLeft","\\mesomerism","\\longrightharpoonup","\\longleftharpoondown","\\yieldsLeftRight","\\chemequ\
ilibrium","\\\\cdrightarrow","\\\\cdleftarrow","\\\\cdlongequal"],props:{numArgs:1,numOptionalArgs:1},handler({parser:e,
funcName:t},r,s){return{type:"xArrow",mode:e.mode,name:t,body:r[0],below:s[0]}},mathmlBuilder(e,t){let s=[pt(e.name,e.body,
e.below,t)];return s.unshift($(.2778)),s.push($(.2778)),new d("mrow",s)}});var Zt={"\\equilibriumRight":["\\longrightharp\
oonup","\\eqleftharpoondown"],"\\equilibriumLeft":["\\eqrightharpoonup","\\longleftharpoondown"]};x({type:"stackedArrow",
names:["\\equilibriumRight","\\equilibriumLeft"],props:{numArgs:1,numOptionalArgs:1},handler({parser:e,funcName:t},r,s){
let i=r[0]?{type:"hphantom",mode:e.mode,body:r[0]}:null,a=s[0]?{type:"hphantom",mode:e.mode,body:s[0]}:null;return{type:"\
stackedArrow",mode:e.mode,name:t,body:r[0],upperArrowBelow:a,lowerArrowBody:i,below:s[0]}},mathmlBuilder(e,t){let r=Zt[e.
name][0],s=Zt[e.name][1],i=pt(r,e.body,e.upperArrowBelow,t),a=pt(s,e.lowerArrowBody,e.below,t),l,u=new d("mpadded",[i]);
if(u.setAttribute("voffset","0.3em"),u.setAttribute("height","+0.3em"),u.setAttribute("depth","-0.3em"),e.name==="\\equil\
ibriumLeft"){let h=new d("mpadded",[a]);h.setAttribute("width","0.5em"),l=new d("mpadded",[$(.2778),h,u,$(.2778)])}else u.
setAttribute("width",e.name==="\\equilibriumRight"?"0.5em":"0"),l=new d("mpadded",[$(.2778),u,a,$(.2778)]);return l.setAttribute(
"voffset","-0.18em"),l.setAttribute("height","-0.18em"),l.setAttribute("depth","+0.18em"),l}});var ft={};function Z({type:e,names:t,props:r,handler:s,mathmlBuilder:i}){let a={type:e,numArgs:r.numArgs||0,allowedInText:!1,
numOptionalArgs:0,handler:s};for(let l=0;l<t.length;++l)ft[t[l]]=a;i&&(xe[e]=i)}function M(e,t){if(!e||e.type!==t)throw new Error(`Expected node of type ${t}, but got `+(e?`node of type ${e.type}`:String(
e)));return e}function Oe(e){let t=ke(e);if(!t)throw new Error("Expected node of symbol group type, but got "+(e?`node o\
f type ${e.type}`:String(e)));return t}function ke(e){return e&&(e.type==="atom"||e.type==="delimiter"||Object.prototype.
hasOwnProperty.call(Ut,e.type))?e:null}var cn={">":"\\\\cdrightarrow","<":"\\\\cdleftarrow","=":"\\\\cdlongequal",A:"\\uparrow",V:"\\downarrow","|":"\\Vert",".":"\
no arrow"},Kt=()=>({type:"styling",body:[],mode:"math",scriptLevel:"display"}),Jt=e=>e.type==="textord"&&e.text==="@",dn=(e,t)=>(e.
type==="mathord"||e.type==="atom")&&e.text===t;function hn(e,t,r){let s=cn[e];switch(s){case"\\\\cdrightarrow":case"\\\\cd\
leftarrow":return r.callFunction(s,[t[0]],[t[1]]);case"\\uparrow":case"\\downarrow":{let i=r.callFunction("\\\\cdleft",[
t[0]],[]),a={type:"atom",text:s,mode:"math",family:"rel"},l=r.callFunction("\\Big",[a],[]),u=r.callFunction("\\\\cdright",
[t[1]],[]),h={type:"ordgroup",mode:"math",body:[i,l,u],semisimple:!0};return r.callFunction("\\\\cdparent",[h],[])}case"\
\\\\cdlongequal":return r.callFunction("\\\\cdlongequal",[],[]);case"\\Vert":{let i={type:"textord",text:"\\Vert",mode:"\
math"};return r.callFunction("\\Big",[i],[])}default:return{type:"textord",text:" ",mode:"math"}}}function Qt(e){let t=[];
for(e.gullet.beginGroup(),e.gullet.macros.set("\\cr","\\\\\\relax"),e.gullet.beginGroup();;){t.push(e.parseExpression(!1,
"\\\\")),e.gullet.endGroup(),e.gullet.beginGroup();let i=e.fetch().text;if(i==="&"||i==="\\\\")e.consume();else if(i==="\
\\end"){t[t.length-1].length===0&&t.pop();break}else throw new y("Expected \\\\ or \\cr or \\end",e.nextToken)}let r=[],
s=[r];for(let i=0;i<t.length;i++){let a=t[i],l=Kt();for(let u=0;u<a.length;u++)if(!Jt(a[u]))l.body.push(a[u]);else{r.push(
l),u+=1;let h=Oe(a[u]).text,g=new Array(2);if(g[0]={type:"ordgroup",mode:"math",body:[]},g[1]={type:"ordgroup",mode:"mat\
h",body:[]},!("=|.".indexOf(h)>-1))if("<>AV".indexOf(h)>-1)for(let T=0;T<2;T++){let w=!0;for(let S=u+1;S<a.length;S++){if(dn(
a[S],h)){w=!1,u=S;break}if(Jt(a[S]))throw new y("Missing a "+h+" character to complete a CD arrow.",a[S]);g[T].body.push(
a[S])}if(w)throw new y("Missing a "+h+" character to complete a CD arrow.",a[u])}else throw new y('Expected one of "<>AV\
=|." after @.');let A=hn(h,g,e);r.push(A),l=Kt()}i%2===0?r.push(l):r.shift(),r=[],s.push(r)}return s.pop(),e.gullet.endGroup(),
e.gullet.endGroup(),{type:"array",mode:"math",body:s,tags:null,labels:new Array(s.length+1).fill(""),envClasses:["jot","\
cd"],cols:[],hLinesBeforeRow:new Array(s.length+1).fill([])}}x({type:"cdlabel",names:["\\\\cdleft","\\\\cdright"],props:{
numArgs:1},handler({parser:e,funcName:t},r){return{type:"cdlabel",mode:e.mode,side:t.slice(4),label:r[0]}},mathmlBuilder(e,t){
if(e.label.body.length===0)return new d("mrow",t);let r=L(e.label,t);e.side==="left"&&r.classes.push("tml-shift-left");let s=new d(
"mtd",[r]);s.style.padding="0";let i=new d("mtr",[s]),a=new d("mtable",[i]),l=new d("mpadded",[a]);return l.setAttribute(
"width","0.1px"),l.setAttribute("displaystyle","false"),l.setAttribute("scriptlevel","1"),l}});x({type:"cdlabelparent",names:[
"\\\\cdparent"],props:{numArgs:1},handler({parser:e},t){return{type:"cdlabelparent",mode:e.mode,fragment:t[0]}},mathmlBuilder(e,t){
return new d("mrow",[L(e.fragment,t)])}});var er=e=>({type:"ordgroup",mode:"math",body:e,semisimple:!0}),bt=(e,t)=>({type:t,mode:"math",body:er(e)}),tr=(e,t)=>{let r=e.
body;r[0].shift();let s=new Array(r.length-1).fill().map(()=>[]);for(let T=1;T<r.length;T++){s[T-1].push(r[T].shift());let w=[];
for(let S=0;S<r[T].length;S++)w.push(r[T][S]);s[T-1].push(bt(w,"vphantom"))}let i=new Array(r.length).fill().map(()=>[]);
for(let T=0;T<r[0].length;T++)i[0].push(r[0][T]);for(let T=1;T<r.length;T++)for(let w=0;w<r[0].length;w++)i[T].push(bt(r[T][w].
body,"hphantom"));for(let T=0;T<r[0].length;T++)r[0][T]=bt(r[0][T].body,"hphantom");let a={type:"array",mode:"math",body:s,
cols:[{type:"align",align:"c"}],rowGaps:new Array(s.length-1).fill(null),hLinesBeforeRow:new Array(s.length+1).fill().map(
()=>[]),envClasses:[],scriptLevel:"text",arraystretch:1,labels:new Array(s.length).fill(""),arraycolsep:{number:.04,unit:"\
em"}},u={type:"styling",mode:"math",scriptLevel:"text",body:[{type:"array",mode:"math",body:i,cols:new Array(i.length).fill(
{type:"align",align:"c"}),rowGaps:new Array(i.length-1).fill(null),hLinesBeforeRow:new Array(i.length+1).fill().map(()=>[]),
envClasses:[],scriptLevel:"text",arraystretch:1,labels:new Array(i.length).fill(""),arraycolsep:null}]},A={type:"supsub",
mode:"math",stack:!0,base:{type:"op",mode:"math",limits:!0,alwaysHandleSupSub:!0,parentIsSupSub:!0,symbol:!1,suppressBaseShift:!0,
body:[{type:"leftright",mode:"math",body:[e],left:t?t[0]:"(",right:t?t[1]:")",rightColor:void 0}]},sup:u,sub:null};return er(
[a,A])};var W=class e{constructor(t,r,s){this.lexer=t,this.start=r,this.end=s}static range(t,r){return r?!t||!t.loc||!r.loc||t.loc.
lexer!==r.loc.lexer?null:new e(t.loc.lexer,t.loc.start,r.loc.end):t&&t.loc}};var X=class e{constructor(t,r){this.text=t,this.loc=r}range(t,r){return new e(r,W.range(this,t))}};var I={DISPLAY:0,TEXT:1,SCRIPT:2,SCRIPTSCRIPT:3};var gt=Object.create(null);function p(e,t){gt[e]=t}var pn=gt,sr=pn;p("\\noexpand",function(e){let t=e.popToken();return e.isExpandable(t.text)&&(t.noexpand=!0,t.treatAsRelax=
!0),{tokens:[t],numArgs:0}});p("\\expandafter",function(e){let t=e.popToken();return e.expandOnce(!0),{tokens:[t],numArgs:0}});
p("\\@firstoftwo",function(e){return{tokens:e.consumeArgs(2)[0],numArgs:0}});p("\\@secondoftwo",function(e){return{tokens:e.
consumeArgs(2)[1],numArgs:0}});p("\\@ifnextchar",function(e){let t=e.consumeArgs(3);e.consumeSpaces();let r=e.future();return t[0].
length===1&&t[0][0].text===r.text?{tokens:t[1],numArgs:0}:{tokens:t[2],numArgs:0}});p("\\@ifstar","\\@ifnextchar *{\\@firs\
toftwo{#1}}");p("\\TextOrMath",function(e){let t=e.consumeArgs(2);return e.mode==="text"?{tokens:t[0],numArgs:0}:{tokens:t[1],
numArgs:0}});var Qe=e=>{let t="";for(let r=e.length-1;r>-1;r--)t+=e[r].text;return t},xt={0:0,1:1,2:2,3:3,4:4,5:5,6:6,7:7,
8:8,9:9,a:10,A:10,b:11,B:11,c:12,C:12,d:13,D:13,e:14,E:14,f:15,F:15},rr=e=>{let t=e.future().text;return t==="EOF"?[null,
""]:[xt[t.charAt(0)],t]},nr=(e,t,r)=>{for(let s=1;s<t.length;s++){let i=xt[t.charAt(s)];e*=r,e+=i}return e};p("\\char",function(e){
let t=e.popToken(),r,s="";if(t.text==="'")r=8,t=e.popToken();else if(t.text==='"')r=16,t=e.popToken();else if(t.text==="\
`")if(t=e.popToken(),t.text[0]==="\\")s=t.text.charCodeAt(1);else{if(t.text==="EOF")throw new y("\\char` missing argument");
s=t.text.charCodeAt(0)}else r=10;if(r){let i=t.text;if(s=xt[i.charAt(0)],s==null||s>=r)throw new y(`Invalid base-${r} di\
git ${t.text}`);s=nr(s,i,r);let a;for([a,i]=rr(e);a!=null&&a<r;)s*=r,s+=a,s=nr(s,i,r),e.popToken(),[a,i]=rr(e)}return`\\@\
char{${s}}`});function yt(e){let t=e.consumeArgs(1)[0],r="",s=t[t.length-1].loc.start;for(let i=t.length-1;i>=0;i--){let a=t[i].
loc.start;a>s&&(r+=" ",s=a),r+=t[i].text,s+=t[i].text.length}return r}p("\\surd","\\sqrt{\\vphantom{|}}");p("⊕","\\oplu\
s");p("\\long","");p("\\bgroup","{");p("\\egroup","}");p("~","\\nobreakspace");p("\\lq","`");p("\\rq","'");p("\\aa","\\r \
a");p("\\Bbbk","\\Bbb{k}");p("\\mathstrut","\\vphantom{(}");p("\\underbar","\\underline{\\text{#1}}");p("\\vdots","{\\var\
vdots\\rule{0pt}{15pt}}");p("⋮","\\vdots");p("\\arraystretch","1");p("\\arraycolsep","6pt");p("\\substack","\\begin{sub\
array}{c}#1\\end{subarray}");p("\\iff","\\DOTSB\\;\\Longleftrightarrow\\;");p("\\implies","\\DOTSB\\;\\Longrightarrow\\;");
p("\\impliedby","\\DOTSB\\;\\Longleftarrow\\;");var or={",":"\\dotsc","\\not":"\\dotsb","+":"\\dotsb","=":"\\dotsb","<":"\
\\dotsb",">":"\\dotsb","-":"\\dotsb","*":"\\dotsb",":":"\\dotsb","\\DOTSB":"\\dotsb","\\coprod":"\\dotsb","\\bigvee":"\\d\
otsb","\\bigwedge":"\\dotsb","\\biguplus":"\\dotsb","\\bigcap":"\\dotsb","\\bigcup":"\\dotsb","\\prod":"\\dotsb","\\sum":"\
\\dotsb","\\bigotimes":"\\dotsb","\\bigoplus":"\\dotsb","\\bigodot":"\\dotsb","\\bigsqcap":"\\dotsb","\\bigsqcup":"\\dots\
b","\\bigtimes":"\\dotsb","\\And":"\\dotsb","\\longrightarrow":"\\dotsb","\\Longrightarrow":"\\dotsb","\\longleftarrow":"\
\\dotsb","\\Longleftarrow":"\\dotsb","\\longleftrightarrow":"\\dotsb","\\Longleftrightarrow":"\\dotsb","\\mapsto":"\\dots\
b","\\longmapsto":"\\dotsb","\\hookrightarrow":"\\dotsb","\\doteq":"\\dotsb","\\mathbin":"\\dotsb","\\mathrel":"\\dotsb",
"\\relbar":"\\dotsb","\\Relbar":"\\dotsb","\\xrightarrow":"\\dotsb","\\xleftarrow":"\\dotsb","\\DOTSI":"\\dotsi","\\int":"\
\\dotsi","\\oint":"\\dotsi","\\iint":"\\dotsi","\\iiint":"\\dotsi","\\iiiint":"\\dotsi","\\DOTSX":"\\dotsx"};p("\\dots",
function(e){let t="\\dotso",r=e.expandAfterFuture().text;return r in or?t=or[r]:(r.slice(0,4)==="\\not"||r in P.math&&["\
bin","rel"].includes(P.math[r].group))&&(t="\\dotsb"),t});var wt={")":!0,"]":!0,"\\rbrack":!0,"\\}":!0,"\\rbrace":!0,"\\r\
angle":!0,"\\rceil":!0,"\\rfloor":!0,"\\rgroup":!0,"\\rmoustache":!0,"\\right":!0,"\\bigr":!0,"\\biggr":!0,"\\Bigr":!0,"\
\\Biggr":!0,$:!0,";":!0,".":!0,",":!0};p("\\dotso",function(e){return e.future().text in wt?"\\ldots\\,":"\\ldots"});p("\
\\dotsc",function(e){let t=e.future().text;return t in wt&&t!==","?"\\ldots\\,":"\\ldots"});p("\\cdots",function(e){return e.
future().text in wt?"\\@cdots\\,":"\\@cdots"});p("\\dotsb","\\cdots");p("\\dotsm","\\cdots");p("\\dotsi","\\!\\cdots");p(
"\\idotsint","\\int\\!\\cdots\\!\\int");p("\\dotsx","\\ldots\\,");p("\\DOTSI","\\relax");p("\\DOTSB","\\relax");p("\\DOTS\
X","\\relax");p("\\tmspace","\\TextOrMath{\\kern#1#3}{\\mskip#1#2}\\relax");p("\\,","{\\tmspace+{3mu}{.1667em}}");p("\\th\
inspace","\\,");p("\\>","\\mskip{4mu}");p("\\:","{\\tmspace+{4mu}{.2222em}}");p("\\medspace","\\:");p("\\;","{\\tmspace+{\
5mu}{.2777em}}");p("\\thickspace","\\;");p("\\!","{\\tmspace-{3mu}{.1667em}}");p("\\negthinspace","\\!");p("\\negmedspace",
"{\\tmspace-{4mu}{.2222em}}");p("\\negthickspace","{\\tmspace-{5mu}{.277em}}");p("\\enspace","\\kern.5em ");p("\\enskip",
"\\hskip.5em\\relax");p("\\quad","\\hskip1em\\relax");p("\\qquad","\\hskip2em\\relax");p("\\AA","\\TextOrMath{\\Angstrom}{\
\\mathring{A}}\\relax");p("\\tag","\\@ifstar\\tag@literal\\tag@paren");p("\\tag@paren","\\tag@literal{({#1})}");p("\\tag@\
literal",e=>{if(e.macros.get("\\df@tag"))throw new y("Multiple \\tag");return"\\gdef\\df@tag{\\text{#1}}"});p("\\notag",
"\\nonumber");p("\\nonumber","\\gdef\\@eqnsw{0}");p("\\bmod","\\mathbin{\\text{mod}}");p("\\pod","\\allowbreak\\mathchoice\
{\\mkern18mu}{\\mkern8mu}{\\mkern8mu}{\\mkern8mu}(#1)");p("\\pmod","\\pod{{\\rm mod}\\mkern6mu#1}");p("\\mod","\\allowbre\
ak\\mathchoice{\\mkern18mu}{\\mkern12mu}{\\mkern12mu}{\\mkern12mu}{\\rm mod}\\,\\,#1");p("\\newline","\\\\\\relax");p("\\\
TeX","\\textrm{T}\\kern-.1667em\\raisebox{-.5ex}{E}\\kern-.125em\\textrm{X}");p("\\LaTeX","\\textrm{L}\\kern-.35em\\raisebo\
x{0.2em}{\\scriptstyle A}\\kern-.15em\\TeX");p("\\Temml","\\textrm{T}\\kern-0.2em\\lower{0.2em}{\\textrm{E}}\\kern-0.08em{\\te\
xtrm{M}\\kern-0.08em\\raise{0.2em}\\textrm{M}\\kern-0.08em\\textrm{L}}");p("\\hspace","\\@ifstar\\@hspacer\\@hspace");p(
"\\@hspace","\\hskip #1\\relax");p("\\@hspacer","\\rule{0pt}{0pt}\\hskip #1\\relax");p("\\colon",'\\mathpunct{\\char"3a}');
p("\\prescript","\\pres@cript{_{#1}^{#2}}{}{#3}");p("\\ordinarycolon",'\\char"3a');p("\\vcentcolon","\\mathrel{\\raisebox{\
0.035em}{\\ordinarycolon}}");p("\\coloneq",'\\mathrel{\\raisebox{0.035em}{\\ordinarycolon}\\char"2212}');p("\\Coloneq",'\
\\mathrel{\\char"2237\\char"2212}');p("\\Eqqcolon",'\\mathrel{\\char"3d\\char"2237}');p("\\Eqcolon",'\\mathrel{\\char"2212\
\\char"2237}');p("\\colonapprox",'\\mathrel{\\raisebox{0.035em}{\\ordinarycolon}\\char"2248}');p("\\Colonapprox",'\\mathr\
el{\\char"2237\\char"2248}');p("\\colonsim",'\\mathrel{\\raisebox{0.035em}{\\ordinarycolon}\\char"223c}');p("\\Colonsim",
'\\mathrel{\\raisebox{0.035em}{\\ordinarycolon}\\char"223c}');p("\\ratio","\\vcentcolon");p("\\coloncolon","\\dblcolon");
p("\\colonequals","\\coloneqq");p("\\coloncolonequals","\\Coloneqq");p("\\equalscolon","\\eqqcolon");p("\\equalscoloncolo\
n","\\Eqqcolon");p("\\colonminus","\\coloneq");p("\\coloncolonminus","\\Coloneq");p("\\minuscolon","\\eqcolon");p("\\minu\
scoloncolon","\\Eqcolon");p("\\coloncolonapprox","\\Colonapprox");p("\\coloncolonsim","\\Colonsim");p("\\notni","\\mathre\
l{\\char`∌}");p("\\limsup","\\DOTSB\\operatorname*{lim\\,sup}");p("\\liminf","\\DOTSB\\operatorname*{lim\\,inf}");p("\\\
injlim","\\DOTSB\\operatorname*{inj\\,lim}");p("\\projlim","\\DOTSB\\operatorname*{proj\\,lim}");p("\\varlimsup","\\DOTSB\
\\operatorname*{\\overline{\\text{lim}}}");p("\\varliminf","\\DOTSB\\operatorname*{\\underline{\\text{lim}}}");p("\\varin\
jlim","\\DOTSB\\operatorname*{\\underrightarrow{\\text{lim}}}");p("\\varprojlim","\\DOTSB\\operatorname*{\\underleftarrow{\\\
text{lim}}}");p("\\centerdot","{\\medspace\\rule{0.167em}{0.189em}\\medspace}");p("\\argmin","\\DOTSB\\operatorname*{arg\\,\
min}");p("\\argmax","\\DOTSB\\operatorname*{arg\\,max}");p("\\plim","\\DOTSB\\operatorname*{plim}");p("\\leftmodels","\\m\
athop{\\reflectbox{$\\models$}}");p("\\bra","\\mathinner{\\langle{#1}|}");p("\\ket","\\mathinner{|{#1}\\rangle}");p("\\br\
aket","\\mathinner{\\langle{#1}\\rangle}");p("\\Bra","\\left\\langle#1\\right|");p("\\Ket","\\left|#1\\right\\rangle");var ir=(e,t)=>{
let s=`}\\,\\middle${t[0]==="|"?"\\vert":"\\Vert"}\\,{`;return e.slice(0,t.index)+s+e.slice(t.index+t[0].length)};p("\\Br\
aket",function(e){let t=yt(e),r=/\|\||\||\\\|/g,s;for(;(s=r.exec(t))!==null;)t=ir(t,s);return"\\left\\langle{"+t+"}\\righ\
t\\rangle"});p("\\Set",function(e){let t=yt(e),r=/\|\||\||\\\|/.exec(t);return r&&(t=ir(t,r)),"\\left\\{\\:{"+t+"}\\:\\rig\
ht\\}"});p("\\set",function(e){return"\\{{"+yt(e).replace(/\|/,"}\\mid{")+"}\\}"});p("\\angln","{\\angl n}");p("\\odv","\
\\@ifstar\\odv@next\\odv@numerator");p("\\odv@numerator","\\frac{\\mathrm{d}#1}{\\mathrm{d}#2}");p("\\odv@next","\\frac{\\\
mathrm{d}}{\\mathrm{d}#2}#1");p("\\pdv","\\@ifstar\\pdv@next\\pdv@numerator");var ar=e=>{let t=e[0][0].text,r=Qe(e[1]).split(
","),s=String(r.length),i=s==="1"?"\\partial":`\\partial^${s}`,a="";return r.map(l=>{a+="\\partial "+l.trim()+"\\,"}),[t,
i,a.replace(/\\,$/,"")]};p("\\pdv@numerator",function(e){let[t,r,s]=ar(e.consumeArgs(2));return`\\frac{${r} ${t}}{${s}}`});
p("\\pdv@next",function(e){let[t,r,s]=ar(e.consumeArgs(2));return`\\frac{${r}}{${s}} ${t}`});p("\\upalpha","\\up@greek{\\a\
lpha}");p("\\upbeta","\\up@greek{\\beta}");p("\\upgamma","\\up@greek{\\gamma}");p("\\updelta","\\up@greek{\\delta}");p("\
\\upepsilon","\\up@greek{\\epsilon}");p("\\upzeta","\\up@greek{\\zeta}");p("\\upeta","\\up@greek{\\eta}");p("\\uptheta",
"\\up@greek{\\theta}");p("\\upiota","\\up@greek{\\iota}");p("\\upkappa","\\up@greek{\\kappa}");p("\\uplambda","\\up@greek\
{\\lambda}");p("\\upmu","\\up@greek{\\mu}");p("\\upnu","\\up@greek{\\nu}");p("\\upxi","\\up@greek{\\xi}");p("\\upomicron",
"\\up@greek{\\omicron}");p("\\uppi","\\up@greek{\\pi}");p("\\upalpha","\\up@greek{\\alpha}");p("\\uprho","\\up@greek{\\rho\
}");p("\\upsigma","\\up@greek{\\sigma}");p("\\uptau","\\up@greek{\\tau}");p("\\upupsilon","\\up@greek{\\upsilon}");p("\\u\
pphi","\\up@greek{\\phi}");p("\\upchi","\\up@greek{\\chi}");p("\\uppsi","\\up@greek{\\psi}");p("\\upomega","\\up@greek{\\o\
mega}");p("\\invamp",'\\mathbin{\\char"214b}');p("\\parr",'\\mathbin{\\char"214b}');p("\\upand",'\\mathbin{\\char"214b}');
p("\\with",'\\mathbin{\\char"26}');p("\\multimapinv",'\\mathrel{\\char"27dc}');p("\\multimapboth",'\\mathrel{\\char"29df}');
p("\\scoh",'{\\mkern5mu\\char"2322\\mkern5mu}');p("\\sincoh",'{\\mkern5mu\\char"2323\\mkern5mu}');p("\\coh",`{\\mkern5mu\\\
rule{}{0.7em}\\mathrlap{\\smash{\\raise2mu{\\char"2322}}}
{\\smash{\\lower4mu{\\char"2323}}}\\mkern5mu}`);p("\\incoh",`{\\mkern5mu\\rule{}{0.7em}\\mathrlap{\\smash{\\raise2mu{\\char"23\
23}}}
{\\smash{\\lower4mu{\\char"2322}}}\\mkern5mu}`);p("\\standardstate","\\text{\\tiny\\char`⦵}");function lr(e){let t=[];e.consumeSpaces();let r=e.fetch().text;for(r==="\\relax"&&(e.consume(),e.consumeSpaces(),r=e.fetch().
text);r==="\\hline"||r==="\\hdashline";)e.consume(),t.push(r==="\\hdashline"),e.consumeSpaces(),r=e.fetch().text;return t}
var De=e=>{if(!e.parser.settings.displayMode)throw new y(`{${e.envName}} can be used only in display mode.`)},fn=/([-+]?) *(\d+(?:\.\d*)?|\.\d+) *([a-z]{2})/,
cr=e=>{let t=e.get("\\arraystretch");typeof t!="string"&&(t=Qe(t.tokens)),t=isNaN(t)?null:Number(t);let r=e.get("\\arrayc\
olsep");typeof r!="string"&&(r=Qe(r.tokens));let s=fn.exec(r),i=s?{number:+(s[1]+s[2]),unit:s[3]}:null;return[t,i]},ur=e=>{
let t="";for(let r=0;r<e.length;r++)if(e[r].type==="label"){if(t)throw new y("Multiple \\labels in one row");t=e[r].string}
return t};function Tt(e){if(e.indexOf("ed")===-1)return e.indexOf("*")===-1}function re(e,{cols:t,envClasses:r,autoTag:s,
singleRow:i,emptySingleRow:a,maxNumCols:l,leqno:u,arraystretch:h,arraycolsep:g},A){let T=r&&r.includes("bordermatrix")?"\
}":"\\end";e.gullet.beginGroup(),i||e.gullet.macros.set("\\cr","\\\\\\relax"),e.gullet.beginGroup();let w=[],S=[w],B=[],
G=[],V=[],N=s!=null?[]:void 0;function z(){s&&e.gullet.macros.set("\\@eqnsw","1",!0)}function be(){N&&(e.gullet.macros.get(
"\\df@tag")?(N.push(e.subparse([new X("\\df@tag")])),e.gullet.macros.set("\\df@tag",void 0,!0)):N.push(!!s&&e.gullet.macros.
get("\\@eqnsw")==="1"))}for(z(),V.push(lr(e));;){let ge=e.parseExpression(!1,i?"\\end":"\\\\");e.gullet.endGroup(),e.gullet.
beginGroup(),ge={type:"ordgroup",mode:e.mode,body:ge,semisimple:!0},w.push(ge);let st=e.fetch().text;if(st==="&"){if(l&&
w.length===l)if(r.includes("array")){if(e.settings.strict)throw new y("Too few columns specified in the {array} column a\
rgument.",e.nextToken)}else throw l===2?new y("The split environment accepts no more than two columns",e.nextToken):new y(
"The equation environment accepts only one column",e.nextToken);e.consume()}else if(st===T){be(),w.length===1&&ge.body.length===
0&&(S.length>1||!a)&&S.pop(),G.push(ur(ge.body)),V.length<S.length+1&&V.push([]);break}else if(st==="\\\\"){e.consume();
let it;e.gullet.future().text!==" "&&(it=e.parseSizeGroup(!0)),B.push(it?it.value:null),be(),G.push(ur(ge.body)),V.push(
lr(e)),w=[],S.push(w),z()}else throw new y("Expected & or \\\\ or \\cr or "+T,e.nextToken)}return e.gullet.endGroup(),e.
gullet.endGroup(),{type:"array",mode:e.mode,body:S,cols:t,rowGaps:B,hLinesBeforeRow:V,envClasses:r,autoTag:s,scriptLevel:A,
tags:N,labels:G,leqno:u,arraystretch:h,arraycolsep:g}}function dr(e){return e.slice(0,1)==="d"?"display":"text"}var bn={
c:"center ",l:"left ",r:"right "},mr=e=>{let t=new d("mtd",[]);return t.style={padding:"0",width:"50%"},e.envClasses.includes(
"multline")&&(t.style.width="7.5%"),t},ee=function(e,t){let r=[],s=e.body.length,i=e.hLinesBeforeRow,a=e.tags&&e.tags.some(
g=>g);for(let g=0;g<s;g++){let A=e.body[g],T=[],w=e.scriptLevel==="text"?I.TEXT:e.scriptLevel==="script"?I.SCRIPT:I.DISPLAY;
for(let N=0;N<A.length;N++){let z=new d("mtd",[L(A[N],t.withLevel(w))]);if(e.envClasses.includes("multline")){let be=g===
0?"left":g===s-1?"right":"center";be!=="center"&&z.classes.push("tml-"+be)}T.push(z)}let S=e.body[0].length;for(let N=0;N<
S-A.length;N++)T.push(new d("mtd",[],[],t));if(a){let N=e.tags[g],z;N===!0?z=new d("mtext",[new He(["tml-eqn"])]):N===!1?
z=new d("mtext",[],[]):(z=Y(N[0].body,t.withLevel(w),!0),z=he(z),z.classes=["tml-tag"]),z&&(T.unshift(mr(e)),T.push(mr(e)),
e.leqno?T[0].children.push(z):T[T.length-1].children.push(z))}let B=new d("mtr",T,[]),G=e.labels.shift();G&&e.tags&&e.tags[g]&&
(B.setAttribute("id",G),Array.isArray(e.tags[g])&&B.classes.push("tml-tageqn")),g===0&&i[0].length>0&&(i[0].length===2?B.
children.forEach(N=>{N.style.borderTop="0.15em double"}):B.children.forEach(N=>{N.style.borderTop=i[0][0]?"0.06em dashed":
"0.06em solid"})),i[g+1].length>0&&(i[g+1].length===2?B.children.forEach(N=>{N.style.borderBottom="0.15em double"}):B.children.
forEach(N=>{N.style.borderBottom=i[g+1][0]?"0.06em dashed":"0.06em solid"}));let V=!0;for(let N=0;N<B.children.length;N++){
let z=B.children[N].children[0];if(!(z&&z.type==="mpadded"&&z.attributes.height==="0px")){V=!1;break}}if(V){B.classes.push(
"ff-squash");for(let N=0;N<B.children.length;N++)B.children[N].style.paddingTop="0",B.children[N].style.paddingBottom="0"}
r.push(B)}if(e.arraystretch&&e.arraystretch!==1){let g=String(1.4*e.arraystretch-.8)+"ex";for(let A=0;A<r.length;A++)for(let T=0;T<
r[A].children.length;T++)r[A].children[T].style.paddingTop=g,r[A].children[T].style.paddingBottom=g}let l,u;if(e.envClasses.
length>0&&(l=e.envClasses.includes("abut")||e.envClasses.includes("cases")?"0":e.envClasses.includes("small")?"0.1389":e.
envClasses.includes("cd")?"0.25":"0.4",u="em"),e.arraycolsep){let g=_(e.arraycolsep,t);l=g.number.toFixed(4),u=g.unit}if(l){
let g=r.length===0?0:r[0].children.length,A=(T,w)=>T===0&&w===0||T===g-1&&w===1?"0":e.envClasses[0]!=="align"?l:w===1?"0":
a?T%2?"1":"0":T%2?"0":"1";for(let T=0;T<r.length;T++)for(let w=0;w<r[T].children.length;w++)r[T].children[w].style.paddingLeft=
`${A(w,0)}${u}`,r[T].children[w].style.paddingRight=`${A(w,1)}${u}`}if(e.envClasses.length===0)for(let g=0;g<r.length;g++)
r[g].children[0].style.paddingLeft="0em",r[g].children.length===r[0].children.length&&(r[g].children[r[g].children.length-
1].style.paddingRight="0em");if(e.envClasses.length>0){let g=e.envClasses.includes("align")||e.envClasses.includes("alig\
nat");for(let A=0;A<r.length;A++){let T=r[A];if(g){for(let w=0;w<T.children.length;w++)T.children[w].classes=["tml-"+(w%
2?"left":"right")];if(a){let w=e.leqno?0:T.children.length-1;T.children[w].classes=[]}}if(T.children.length>1&&e.envClasses.
includes("cases")&&(T.children[1].style.paddingLeft="1em"),e.envClasses.includes("cases")||e.envClasses.includes("subarr\
ay"))for(let w of T.children)w.classes.push("tml-left")}}let h=new d("mtable",r);if(e.envClasses.length>0&&(e.envClasses.
includes("jot")?h.classes.push("tml-jot"):e.envClasses.includes("small")&&h.classes.push("tml-small")),e.scriptLevel==="\
display"&&h.setAttribute("displaystyle","true"),(e.autoTag||e.envClasses.includes("multline"))&&(h.style.width="100%"),e.
cols&&e.cols.length>0){let g=e.cols,A=!1,T=0,w=g.length;for(;g[T].type==="separator";)T+=1;for(;g[w-1].type==="separator";)
w-=1;if(g[0].type==="separator"){let B=g[1].type==="separator"?"0.15em double":g[0].separator==="|"?"0.06em solid ":"0.0\
6em dashed ";for(let G of h.children)G.children[0].style.borderLeft=B}let S=a?0:-1;for(let B=T;B<w;B++)if(g[B].type==="a\
lign"){let G=bn[g[B].align];S+=1;for(let V of h.children)G.trim()!=="center"&&S<V.children.length&&(V.children[S].classes=
["tml-"+G.trim()]);A=!0}else if(g[B].type==="separator"){if(A){let G=g[B+1].type==="separator"?"0.15em double":g[B].separator===
"|"?"0.06em solid":"0.06em dashed";for(let V of h.children)S<V.children.length&&(V.children[S].style.borderRight=G)}A=!1}
if(g[g.length-1].type==="separator"){let B=g[g.length-2].type==="separator"?"0.15em double":g[g.length-1].separator==="|"?
"0.06em solid":"0.06em dashed";for(let G of h.children)G.children[G.children.length-1].style.borderRight=B,G.children[G.
children.length-1].style.paddingRight="0.4em"}}return e.envClasses.includes("small")&&(h=new d("mstyle",[h]),h.setAttribute(
"scriptlevel","1")),h},hr=function(e,t){e.envName.indexOf("ed")===-1&&De(e);let r=e.envName==="split",s=[],i=re(e.parser,
{cols:s,emptySingleRow:!0,autoTag:r?void 0:Tt(e.envName),envClasses:["abut","jot"],maxNumCols:e.envName==="split"?2:void 0,
leqno:e.parser.settings.leqno},"display"),a,l=0,u=e.envName.indexOf("at")>-1;if(t[0]&&u){let h="";for(let g=0;g<t[0].body.
length;g++){let A=M(t[0].body[g],"textord");h+=A.text}if(isNaN(h))throw new y("The alignat enviroment requires a numeric\
 first argument.");a=Number(h),l=a*2}i.body.forEach(function(h){if(u){let g=h.length/2;if(a<g)throw new y(`Too many math\
 in a row: expected ${a}, but got ${g}`,h[0])}else l<h.length&&(l=h.length)});for(let h=0;h<l;++h){let g="r";h%2===1&&(g=
"l"),s[h]={type:"align",align:g}}return e.envName==="split"||(u?i.envClasses.push("alignat"):i.envClasses[0]="align"),i};
Z({type:"array",names:["array","darray"],props:{numArgs:1},handler(e,t){let i=(ke(t[0])?[t[0]]:M(t[0],"ordgroup").body).
map(function(h){let A=Oe(h).text;if("lcr".indexOf(A)!==-1)return{type:"align",align:A};if(A==="|")return{type:"separator",
separator:"|"};if(A===":")return{type:"separator",separator:":"};throw new y("Unknown column alignment: "+A,h)}),[a,l]=cr(
e.parser.gullet.macros),u={cols:i,envClasses:["array"],maxNumCols:i.length,arraystretch:a,arraycolsep:l};return re(e.parser,
u,dr(e.envName))},mathmlBuilder:ee});Z({type:"array",names:["matrix","pmatrix","bmatrix","Bmatrix","vmatrix","Vmatrix","\
matrix*","pmatrix*","bmatrix*","Bmatrix*","vmatrix*","Vmatrix*"],props:{numArgs:0},handler(e){let t={matrix:null,pmatrix:[
"(",")"],bmatrix:["[","]"],Bmatrix:["\\{","\\}"],vmatrix:["|","|"],Vmatrix:["\\Vert","\\Vert"]}[e.envName.replace("*","")],
r="c",s={envClasses:[],cols:[]};if(e.envName.charAt(e.envName.length-1)==="*"){let u=e.parser;if(u.consumeSpaces(),u.fetch().
text==="["){if(u.consume(),u.consumeSpaces(),r=u.fetch().text,"lcr".indexOf(r)===-1)throw new y("Expected l or c or r",u.
nextToken);u.consume(),u.consumeSpaces(),u.expect("]"),u.consume(),s.cols=[]}}let i=re(e.parser,s,"text");i.cols=i.body.
length>0?new Array(i.body[0].length).fill({type:"align",align:r}):[];let[a,l]=cr(e.parser.gullet.macros);return i.arraystretch=
a,l&&!(l===6&&l==="pt")&&(i.arraycolsep=l),t?{type:"leftright",mode:e.mode,body:[i],left:t[0],right:t[1],rightColor:void 0}:
i},mathmlBuilder:ee});Z({type:"array",names:["bordermatrix"],props:{numArgs:0},handler(e){let t={cols:[],envClasses:["bo\
rdermatrix"]},r=re(e.parser,t,"text");return r.cols=r.body.length>0?new Array(r.body[0].length).fill({type:"align",align:"\
c"}):[],r.envClasses=[],r.arraystretch=1,e.envName==="matrix"?r:tr(r,e.delimiters)},mathmlBuilder:ee});Z({type:"array",names:[
"smallmatrix"],props:{numArgs:0},handler(e){let t={envClasses:["small"]};return re(e.parser,t,"script")},mathmlBuilder:ee});
Z({type:"array",names:["subarray"],props:{numArgs:1},handler(e,t){let i=(ke(t[0])?[t[0]]:M(t[0],"ordgroup").body).map(function(l){
let h=Oe(l).text;if("lc".indexOf(h)!==-1)return{type:"align",align:h};throw new y("Unknown column alignment: "+h,l)});if(i.
length>1)throw new y("{subarray} can contain only one column");let a={cols:i,envClasses:["small"]};if(a=re(e.parser,a,"s\
cript"),a.body.length>0&&a.body[0].length>1)throw new y("{subarray} can contain only one column");return a},mathmlBuilder:ee});
Z({type:"array",names:["cases","dcases","rcases","drcases"],props:{numArgs:0},handler(e){let t={cols:[],envClasses:["cas\
es"]},r=re(e.parser,t,dr(e.envName));return{type:"leftright",mode:e.mode,body:[r],left:e.envName.indexOf("r")>-1?".":"\\{",
right:e.envName.indexOf("r")>-1?"\\}":".",rightColor:void 0}},mathmlBuilder:ee});Z({type:"array",names:["align","align*",
"aligned","split"],props:{numArgs:0},handler:hr,mathmlBuilder:ee});Z({type:"array",names:["alignat","alignat*","aligneda\
t"],props:{numArgs:1},handler:hr,mathmlBuilder:ee});Z({type:"array",names:["gathered","gather","gather*"],props:{numArgs:0},
handler(e){e.envName!=="gathered"&&De(e);let t={cols:[],envClasses:["abut","jot"],autoTag:Tt(e.envName),emptySingleRow:!0,
leqno:e.parser.settings.leqno};return re(e.parser,t,"display")},mathmlBuilder:ee});Z({type:"array",names:["equation","eq\
uation*"],props:{numArgs:0},handler(e){De(e);let t={autoTag:Tt(e.envName),emptySingleRow:!0,singleRow:!0,maxNumCols:1,envClasses:[
"align"],leqno:e.parser.settings.leqno};return re(e.parser,t,"display")},mathmlBuilder:ee});Z({type:"array",names:["mult\
line","multline*"],props:{numArgs:0},handler(e){De(e);let t={autoTag:e.envName==="multline",maxNumCols:1,envClasses:["jo\
t","multline"],leqno:e.parser.settings.leqno};return re(e.parser,t,"display")},mathmlBuilder:ee});Z({type:"array",names:[
"CD"],props:{numArgs:0},handler(e){return De(e),Qt(e.parser)},mathmlBuilder:ee});x({type:"text",names:["\\hline","\\hdash\
line"],props:{numArgs:0,allowedInText:!0,allowedInMath:!0},handler(e,t){throw new y(`${e.funcName} valid only within arr\
ay environment`)}});var gn=ft,Be=gn;x({type:"bordermatrix",names:["\\bordermatrix","\\matrix"],props:{numArgs:0,numOptionalArgs:1},handler:({parser:e,funcName:t},r,s)=>{
let i=["(",")"];if(t==="\\bordermatrix"&&s[0]&&s[0].body){let h=s[0].body;h.length===1&&h[0].type==="delimiter"&&(i=[h[0].
left,h[0].right])}e.consumeSpaces(),e.consume();let a=Be.bordermatrix,l={mode:e.mode,envName:t.slice(1),delimiters:i,parser:e},
u=a.handler(l);return e.expect("}",!0),u}});x({type:"cancelto",names:["\\cancelto"],props:{numArgs:2},handler({parser:e},t){let r=t[0],s=t[1];return{type:"cancelto",
mode:e.mode,body:s,to:r,isCharacterBox:ue(s)}},mathmlBuilder(e,t){let r=new d("mrow",[L(e.body,t)],["ff-narrow"]),s=new d(
"mphantom",[L(e.body,t)]),i=new d("mrow",[s],["tml-cancelto"]);i.style.color=t.color,e.isCharacterBox&&Ue.indexOf(e.body.
body[0].text)>-1&&(i.style.left="0.1em",i.style.width="90%");let a=new d("mrow",[r,i],["menclose"]);if(!e.isCharacterBox||
/[f∫∑]/.test(e.body.body[0].text))s.style.paddingRight="0.2em";else{s.style.padding="0.5ex 0.1em 0 0";let T=new d("m\
space",[]);T.setAttribute("height","0.85em"),r.children.push(T)}let l;if(e.isCharacterBox)l=new d("mspace",[]),l.setAttribute(
"height","1em");else{let T=L(e.body,t),w=new d("mpadded",[T]);w.setAttribute("width","0.1px"),l=new d("mphantom",[w])}let u=L(
e.to,t);u.style.color=t.color;let h=new d("mpadded",[u]);if(!e.isCharacterBox||/[f∫∑]/.test(e.body.body[0].text)){let T=new d(
"mspace",[]);T.setAttribute("width","0.2em"),h.children.unshift(T)}h.setAttribute("width","0.1px");let g=new d("mover",[
l,h]),A=new d("mrow",[],["ff-nudge-left"]);return Q([ae([a,g]),A])}});x({type:"textord",names:["\\@char"],props:{numArgs:1,allowedInText:!0},handler({parser:e,token:t},r){let i=M(r[0],"ordgr\
oup").body,a="";for(let u=0;u<i.length;u++){let h=M(i[u],"textord");a+=h.text}let l=parseInt(a);if(isNaN(l))throw new y(
`\\@char has non-numeric argument ${a}`,t);return{type:"textord",mode:e.mode,text:String.fromCodePoint(l)}}});var xn=/^(#[a-f0-9]{3}|#?[a-f0-9]{6})$/i,yn=/^(#[a-f0-9]{3}|#?[a-f0-9]{6}|[a-z]+)$/i,wn=/^ *\d{1,3} *(?:, *\d{1,3} *){2}$/,
Tn=/^ *[10](?:\.\d*)? *(?:, *[10](?:\.\d*)? *){2}$/,kn=/^[a-f0-9]{6}$/i,pr=e=>{let t=e.toString(16);return t.length===1&&
(t="0"+t),t},fr=JSON.parse(`{
  "Apricot": "#ffb484",
  "Aquamarine": "#08b4bc",
  "Bittersweet": "#c84c14",
  "blue": "#0000FF",
  "Blue": "#303494",
  "BlueGreen": "#08b4bc",
  "BlueViolet": "#503c94",
  "BrickRed": "#b8341c",
  "brown": "#BF8040",
  "Brown": "#802404",
  "BurntOrange": "#f8941c",
  "CadetBlue": "#78749c",
  "CarnationPink": "#f884b4",
  "Cerulean": "#08a4e4",
  "CornflowerBlue": "#40ace4",
  "cyan": "#00FFFF",
  "Cyan": "#08acec",
  "Dandelion": "#ffbc44",
  "darkgray": "#404040",
  "DarkOrchid": "#a8548c",
  "Emerald": "#08ac9c",
  "ForestGreen": "#089c54",
  "Fuchsia": "#90348c",
  "Goldenrod": "#ffdc44",
  "gray": "#808080",
  "Gray": "#98949c",
  "green": "#00FF00",
  "Green": "#08a44c",
  "GreenYellow": "#e0e474",
  "JungleGreen": "#08ac9c",
  "Lavender": "#f89cc4",
  "lightgray": "#c0c0c0",
  "lime": "#BFFF00",
  "LimeGreen": "#90c43c",
  "magenta": "#FF00FF",
  "Magenta": "#f0048c",
  "Mahogany": "#b0341c",
  "Maroon": "#b03434",
  "Melon": "#f89c7c",
  "MidnightBlue": "#086494",
  "Mulberry": "#b03c94",
  "NavyBlue": "#086cbc",
  "olive": "#7F7F00",
  "OliveGreen": "#407c34",
  "orange": "#FF8000",
  "Orange": "#f8843c",
  "OrangeRed": "#f0145c",
  "Orchid": "#b074ac",
  "Peach": "#f8945c",
  "Periwinkle": "#8074bc",
  "PineGreen": "#088c74",
  "pink": "#ff7f7f",
  "Plum": "#98248c",
  "ProcessBlue": "#08b4ec",
  "purple": "#BF0040",
  "Purple": "#a0449c",
  "RawSienna": "#983c04",
  "red": "#ff0000",
  "Red": "#f01c24",
  "RedOrange": "#f86434",
  "RedViolet": "#a0246c",
  "Rhodamine": "#f0549c",
  "Royallue": "#0874bc",
  "RoyalPurple": "#683c9c",
  "RubineRed": "#f0047c",
  "Salmon": "#f8948c",
  "SeaGreen": "#30bc9c",
  "Sepia": "#701404",
  "SkyBlue": "#48c4dc",
  "SpringGreen": "#c8dc64",
  "Tan": "#e09c74",
  "teal": "#007F7F",
  "TealBlue": "#08acb4",
  "Thistle": "#d884b4",
  "Turquoise": "#08b4cc",
  "violet": "#800080",
  "Violet": "#60449c",
  "VioletRed": "#f054a4",
  "WildStrawberry": "#f0246c",
  "yellow": "#FFFF00",
  "Yellow": "#fff404",
  "YellowGreen": "#98cc6c",
  "YellowOrange": "#ffa41c"
}`),pe=(e,t)=>{let r="";if(e==="HTML"){if(!xn.test(t))throw new y("Invalid HTML input.");r=t}else if(e==="RGB"){if(!wn.test(
t))throw new y("Invalid RGB input.");t.split(",").map(s=>{r+=pr(Number(s.trim()))})}else{if(!Tn.test(t))throw new y("Inv\
alid rbg input.");t.split(",").map(s=>{let i=Number(s.trim());if(i>1)throw new y("Color rgb input must be < 1.");r+=pr(Number(
(i*255).toFixed(0)))})}return r.charAt(0)!=="#"&&(r="#"+r),r},Ae=(e,t,r)=>{let s=`\\\\color@${e}`;if(!yn.exec(e))throw new y(
"Invalid color: '"+e+"'",r);return kn.test(e)?"#"+e:(e.charAt(0)==="#"||(t.has(s)?e=t.get(s).tokens[0].text:fr[e]&&(e=fr[e])),
e)},br=(e,t)=>{let r=R(e.body,t.withColor(e.color));return r.length===0&&r.push(new d("mrow")),r=r.map(s=>(s.style.color=
e.color,s)),Q(r)};x({type:"color",names:["\\textcolor"],props:{numArgs:2,numOptionalArgs:1,allowedInText:!0,argTypes:["r\
aw","raw","original"]},handler({parser:e,token:t},r,s){let i=s[0]&&M(s[0],"raw").string,a="";if(i){let u=M(r[0],"raw").string;
a=pe(i,u)}else a=Ae(M(r[0],"raw").string,e.gullet.macros,t);let l=r[1];return{type:"color",mode:e.mode,color:a,isTextColor:!0,
body:F(l)}},mathmlBuilder:br});x({type:"color",names:["\\color"],props:{numArgs:1,numOptionalArgs:1,allowedInText:!0,argTypes:[
"raw","raw"]},handler({parser:e,breakOnTokenText:t,token:r},s,i){let a=i[0]&&M(i[0],"raw").string,l="";if(a){let h=M(s[0],
"raw").string;l=pe(a,h)}else l=Ae(M(s[0],"raw").string,e.gullet.macros,r);let u=e.parseExpression(!0,t,!0);return{type:"\
color",mode:e.mode,color:l,isTextColor:!1,body:u}},mathmlBuilder:br});x({type:"color",names:["\\definecolor"],props:{numArgs:3,
allowedInText:!0,argTypes:["raw","raw","raw"]},handler({parser:e,funcName:t,token:r},s){let i=M(s[0],"raw").string;if(!/^[A-Za-z]+$/.
test(i))throw new y("Color name must be latin letters.",r);let a=M(s[1],"raw").string;if(!["HTML","RGB","rgb"].includes(
a))throw new y("Color model must be HTML, RGB, or rgb.",r);let l=M(s[2],"raw").string,u=pe(a,l);return e.gullet.macros.set(
`\\\\color@${i}`,{tokens:[{text:u}],numArgs:0}),{type:"internal",mode:e.mode}}});x({type:"cr",names:["\\\\"],props:{numArgs:0,numOptionalArgs:0,allowedInText:!0},handler({parser:e},t,r){let s=e.gullet.
future().text==="["?e.parseSizeGroup(!0):null,i=!e.settings.displayMode;return{type:"cr",mode:e.mode,newLine:i,size:s&&M(
s,"size").value}},mathmlBuilder(e,t){let r=new d("mo");if(e.newLine&&(r.setAttribute("linebreak","newline"),e.size)){let s=_(
e.size,t);r.setAttribute("height",s.number+s.unit)}return r}});var kt={"\\global":"\\global","\\long":"\\\\globallong","\\\\globallong":"\\\\globallong","\\def":"\\gdef","\\gdef":"\\gd\
ef","\\edef":"\\xdef","\\xdef":"\\xdef","\\let":"\\\\globallet","\\futurelet":"\\\\globalfuture"},et=e=>{let t=e.text;if(/^(?:[\\{}$&#^_]|EOF)$/.
test(t))throw new y("Expected a control sequence",e);return t},An=e=>{let t=e.gullet.popToken();return t.text==="="&&(t=
e.gullet.popToken(),t.text===" "&&(t=e.gullet.popToken())),t},gr=(e,t,r,s)=>{let i=e.gullet.macros.get(r.text);i==null&&
(r.noexpand=!0,i={tokens:[r],numArgs:0,unexpandable:!e.gullet.isExpandable(r.text)}),e.gullet.macros.set(t,i,s)};x({type:"\
internal",names:["\\global","\\long","\\\\globallong"],props:{numArgs:0,allowedInText:!0},handler({parser:e,funcName:t}){
e.consumeSpaces();let r=e.fetch();if(kt[r.text])return(t==="\\global"||t==="\\\\globallong")&&(r.text=kt[r.text]),M(e.parseFunction(),
"internal");throw new y("Invalid token after macro prefix",r)}});x({type:"internal",names:["\\def","\\gdef","\\edef","\\x\
def"],props:{numArgs:0,allowedInText:!0,primitive:!0},handler({parser:e,funcName:t}){let r=e.gullet.popToken(),s=r.text;
if(/^(?:[\\{}$&#^_]|EOF)$/.test(s))throw new y("Expected a control sequence",r);let i=0,a,l=[[]];for(;e.gullet.future().
text!=="{";)if(r=e.gullet.popToken(),r.text==="#"){if(e.gullet.future().text==="{"){a=e.gullet.future(),l[i].push("{");break}
if(r=e.gullet.popToken(),!/^[1-9]$/.test(r.text))throw new y(`Invalid argument number "${r.text}"`);if(parseInt(r.text)!==
i+1)throw new y(`Argument number "${r.text}" out of order`);i++,l.push([])}else{if(r.text==="EOF")throw new y("Expected \
a macro definition");l[i].push(r.text)}let{tokens:u}=e.gullet.consumeArg();if(a&&u.unshift(a),t==="\\edef"||t==="\\xdef"){
if(u=e.gullet.expandTokens(u),u.length>e.gullet.settings.maxExpand)throw new y("Too many expansions in an "+t);u.reverse()}
return e.gullet.macros.set(s,{tokens:u,numArgs:i,delimiters:l},t===kt[t]),{type:"internal",mode:e.mode}}});x({type:"inte\
rnal",names:["\\let","\\\\globallet"],props:{numArgs:0,allowedInText:!0,primitive:!0},handler({parser:e,funcName:t}){let r=et(
e.gullet.popToken());e.gullet.consumeSpaces();let s=An(e);return gr(e,r,s,t==="\\\\globallet"),{type:"internal",mode:e.mode}}});
x({type:"internal",names:["\\futurelet","\\\\globalfuture"],props:{numArgs:0,allowedInText:!0,primitive:!0},handler({parser:e,
funcName:t}){let r=et(e.gullet.popToken()),s=e.gullet.popToken(),i=e.gullet.popToken();return gr(e,r,i,t==="\\\\globalfutu\
re"),e.gullet.pushToken(i),e.gullet.pushToken(s),{type:"internal",mode:e.mode}}});x({type:"internal",names:["\\newcommand",
"\\renewcommand","\\providecommand"],props:{numArgs:0,allowedInText:!0,primitive:!0},handler({parser:e,funcName:t}){let r="",
s=e.gullet.popToken();s.text==="{"?(r=et(e.gullet.popToken()),e.gullet.popToken()):r=et(s);let i=e.gullet.isDefined(r);if(i&&
t==="\\newcommand")throw new y(`\\newcommand{${r}} attempting to redefine ${r}; use \\renewcommand`);if(!i&&t==="\\renewc\
ommand")throw new y(`\\renewcommand{${r}} when command ${r} does not yet exist; use \\newcommand`);let a=0;if(e.gullet.future().
text==="["){let u=e.gullet.popToken();if(u=e.gullet.popToken(),!/^[0-9]$/.test(u.text))throw new y(`Invalid number of ar\
guments: "${u.text}"`);if(a=parseInt(u.text),u=e.gullet.popToken(),u.text!=="]")throw new y(`Invalid argument "${u.text}\
"`)}let{tokens:l}=e.gullet.consumeArg();return t==="\\providecommand"&&e.gullet.macros.has(r)||e.gullet.macros.set(r,{tokens:l,
numArgs:a}),{type:"internal",mode:e.mode}}});var At={"\\bigl":{mclass:"mopen",size:1},"\\Bigl":{mclass:"mopen",size:2},"\\biggl":{mclass:"mopen",size:3},"\\Biggl":{mclass:"\
mopen",size:4},"\\bigr":{mclass:"mclose",size:1},"\\Bigr":{mclass:"mclose",size:2},"\\biggr":{mclass:"mclose",size:3},"\\\
Biggr":{mclass:"mclose",size:4},"\\bigm":{mclass:"mrel",size:1},"\\Bigm":{mclass:"mrel",size:2},"\\biggm":{mclass:"mrel",
size:3},"\\Biggm":{mclass:"mrel",size:4},"\\big":{mclass:"mord",size:1},"\\Big":{mclass:"mord",size:2},"\\bigg":{mclass:"\
mord",size:3},"\\Bigg":{mclass:"mord",size:4}},vt={"(":")","\\lparen":"\\rparen","[":"]","\\lbrack":"\\rbrack","\\{":"\\}",
"\\lbrace":"\\rbrace","⦇":"⦈","\\llparenthesis":"\\rrparenthesis","\\lfloor":"\\rfloor","⌊":"⌋","\\lceil":"\\rcei\
l","⌈":"⌉","\\langle":"\\rangle","⟨":"⟩","\\lAngle":"\\rAngle","⟪":"⟫","\\llangle":"\\rrangle","⦉":"⦊","\
\\lvert":"\\rvert","\\lVert":"\\rVert","\\lgroup":"\\rgroup","⟮":"⟯","\\lmoustache":"\\rmoustache","⎰":"⎱","\\llb\
racket":"\\rrbracket","⟦":"⟧","\\lBrace":"\\rBrace","⦃":"⦄"},vn=new Set(Object.keys(vt)),di=new Set(Object.values(
vt)),yr=new Set(["(","\\lparen",")","\\rparen","[","\\lbrack","]","\\rbrack","\\{","\\lbrace","\\}","\\rbrace","⦇","\\l\
lparenthesis","⦈","\\rrparenthesis","\\lfloor","\\rfloor","⌊","⌋","\\lceil","\\rceil","⌈","⌉","<",">","\\langle",
"⟨","\\rangle","⟩","\\lAngle","⟪","\\rAngle","⟫","\\llangle","⦉","\\rrangle","⦊","\\lt","\\gt","\\lvert","\\r\
vert","\\lVert","\\rVert","\\lgroup","\\rgroup","⟮","⟯","\\lmoustache","\\rmoustache","⎰","⎱","\\llbracket","\\rr\
bracket","⟦","⟧","\\lBrace","\\rBrace","⦃","⦄","/","\\backslash","|","\\vert","\\|","\\Vert","‖","\\uparrow","\
\\Uparrow","\\downarrow","\\Downarrow","\\updownarrow","\\Updownarrow","."]),Mn=new Set(["}","\\left","\\middle","\\right"]),
fe=e=>e.length>0&&(yr.has(e)||At[e]||Mn.has(e)),xr=[0,1.2,1.8,2.4,3];function Fe(e,t){e.type==="ordgroup"&&e.body.length===
1&&(e=e.body[0]);let r=ke(e);if(r&&yr.has(r.text))return(r.text==="<"||r.text==="\\lt")&&(r.text="⟨"),(r.text===">"||r.
text==="\\gt")&&(r.text="⟩"),r;throw r?new y(`Invalid delimiter '${r.text}' after '${t.funcName}'`,e):new y(`Invalid d\
elimiter type '${e.type}'`,e)}var Sn=new Set(["/","\\","\\backslash","∖","\\vert","|"]),tt=(e,t,r,s)=>{let i=e==="."?"":
e,a=new d("mo",[H(i,t)]);return a.setAttribute("fence","true"),a.setAttribute("form",r),a.setAttribute("stretchy",s?"tru\
e":"false"),a};x({type:"delimsizing",names:["\\bigl","\\Bigl","\\biggl","\\Biggl","\\bigr","\\Bigr","\\biggr","\\Biggr",
"\\bigm","\\Bigm","\\biggm","\\Biggm","\\big","\\Big","\\bigg","\\Bigg"],props:{numArgs:1,argTypes:["primitive"]},handler:(e,t)=>{
let r=Fe(t[0],e),s={type:"delimsizing",mode:e.parser.mode,size:At[e.funcName].size,mclass:At[e.funcName].mclass,delim:r.
text},i=e.parser.fetch().text;return i!=="^"&&i!=="_"?s:{type:"ordgroup",mode:"math",body:[s,{type:"ordgroup",mode:"math",
body:[]}]}},mathmlBuilder:e=>{let t=[],r=e.delim==="."?"":e.delim;t.push(H(r,e.mode));let s=new d("mo",t);return e.mclass===
"mopen"||e.mclass==="mclose"?s.setAttribute("fence","true"):s.setAttribute("fence","false"),(Sn.has(r)||r.indexOf("arrow")>
-1)&&s.setAttribute("stretchy","true"),s.setAttribute("symmetric","true"),s.setAttribute("minsize",xr[e.size]+"em"),s.setAttribute(
"maxsize",xr[e.size]+"em"),s}});function wr(e){if(!e.body)throw new Error("Bug: The delim ParseNode wasn't fully parsed.")}
x({type:"leftright-right",names:["\\right"],props:{numArgs:1,argTypes:["primitive"]},handler:(e,t)=>({type:"leftright-ri\
ght",mode:e.parser.mode,delim:Fe(t[0],e).text})});x({type:"leftright",names:["\\left"],props:{numArgs:1,argTypes:["primi\
tive"]},handler:(e,t)=>{let r=Fe(t[0],e),s=e.parser;++s.leftrightDepth;let i=s.parseExpression(!1,"\\right",!0),a=s.fetch();
for(;a.text==="\\middle";){s.consume();let u=s.fetch().text;if(!P.math[u])throw new y(`Invalid delimiter '${u}' after '\\\
middle'`);Fe({type:"atom",mode:"math",text:u},{funcName:"\\middle"}),i.push({type:"middle",mode:"math",delim:u}),s.consume(),
i=i.concat(s.parseExpression(!1,"\\right",!0)),a=s.fetch()}--s.leftrightDepth,s.expect("\\right",!1);let l=M(s.parseFunction(),
"leftright-right");return{type:"leftright",mode:s.mode,body:i,left:r.text,right:l.delim,isStretchy:!0}},mathmlBuilder:(e,t)=>{
wr(e);let r=R(e.body,t),s=tt(e.left,e.mode,"prefix",!0);r.unshift(s);let i=tt(e.right,e.mode,"postfix",!0);if(e.body.length>
0){let a=e.body[e.body.length-1];a.type==="color"&&!a.isTextColor&&i.setAttribute("mathcolor",a.color)}return r.push(i),
ae(r)}});x({type:"delimiter",names:Array.from(vn),props:{numArgs:0,allowedInText:!0,allowedInMath:!0,allowedInArgument:!0},
handler:({parser:e,funcName:t,token:r})=>{if(e.mode==="text")return{type:"textord",mode:"text",text:t,loc:r.loc};if(!e.settings.
wrapDelimiterPairs)return{type:"atom",mode:"math",family:"open",loc:r.loc,text:t};let s=vt[t],i=e.parseExpression(!1,s,!1);
if(e.fetch().text!==s)throw new y("Unmatched delimiter");return e.consume(),{type:"delimiter",mode:e.mode,body:i,left:t,
right:s}},mathmlBuilder:(e,t)=>{wr(e);let r=R(e.body,t),s=tt(e.left,e.mode,"prefix",!1);r.unshift(s);let i=tt(e.right,e.
mode,"postfix",!1);if(e.body.length>0){let a=e.body[e.body.length-1];a.type==="color"&&!a.isTextColor&&i.setAttribute("m\
athcolor",a.color)}return r.push(i),ae(r)}});x({type:"middle",names:["\\middle"],props:{numArgs:1,argTypes:["primitive"]},
handler:(e,t)=>{let r=Fe(t[0],e);if(!e.parser.leftrightDepth)throw new y("\\middle without preceding \\left",r);return{type:"\
middle",mode:e.parser.mode,delim:r.text}},mathmlBuilder:e=>{let t=H(e.delim,e.mode),r=new d("mo",[t]);return r.setAttribute(
"stretchy","true"),r.setAttribute("form","infix"),t.text!=="/"&&(r.setAttribute("lspace","0.05em"),r.setAttribute("rspac\
e","0.05em")),r}});var Ln=["\\boxed","\\fcolorbox","\\colorbox"],ve=(e,t)=>{let r=Ln.includes(e.label)?"mrow":"menclose",s=new d(r,[L(e.body,
t)]);switch(e.label){case"\\overline":s.setAttribute("notation","top"),s.classes.push("tml-overline");break;case"\\underl\
ine":s.setAttribute("notation","bottom"),s.classes.push("tml-underline");break;case"\\cancel":s.setAttribute("notation",
"updiagonalstrike"),s.children.push(new d("mrow",[],["tml-cancel","upstrike"]));break;case"\\bcancel":s.setAttribute("no\
tation","downdiagonalstrike"),s.children.push(new d("mrow",[],["tml-cancel","downstrike"]));break;case"\\sout":s.setAttribute(
"notation","horizontalstrike"),s.children.push(new d("mrow",[],["tml-cancel","sout"]));break;case"\\xcancel":s.setAttribute(
"notation","updiagonalstrike downdiagonalstrike"),s.children.push(new d("mrow",[],["tml-cancel","tml-xcancel"]));break;case"\
\\longdiv":s.setAttribute("notation","longdiv"),s.classes.push("longdiv-top"),s.children.push(new d("mrow",[],["longdiv-\
arc"]));break;case"\\phase":s.setAttribute("notation","phasorangle"),s.classes.push("phasor-bottom"),s.children.push(new d(
"mrow",[],["phasor-angle"]));break;case"\\textcircled":s.setAttribute("notation","circle"),s.classes.push("circle-pad"),
s.children.push(new d("mrow",[],["textcircle"]));break;case"\\angl":s.setAttribute("notation","actuarial"),s.classes.push(
"actuarial");break;case"\\boxed":s.style.padding="3pt",s.style.border="1px solid",s.setAttribute("scriptlevel","0"),s.setAttribute(
"displaystyle","true");break;case"\\fbox":s.setAttribute("notation","box"),s.classes.push("tml-fbox");break;case"\\fcolor\
box":case"\\colorbox":{s.style.padding="0.3em",e.label==="\\fcolorbox"&&(s.style.border="0.0667em solid "+String(e.borderColor));
break}}return e.backgroundColor&&s.setAttribute("mathbackground",e.backgroundColor),s};x({type:"enclose",names:["\\colorb\
ox"],props:{numArgs:2,numOptionalArgs:1,allowedInText:!0,argTypes:["raw","raw","text"]},handler({parser:e,funcName:t},r,s){
let i=s[0]&&M(s[0],"raw").string,a="";if(i){let u=M(r[0],"raw").string;a=pe(i,u)}else a=Ae(M(r[0],"raw").string,e.gullet.
macros);let l=r[1];return{type:"enclose",mode:e.mode,label:t,backgroundColor:a,body:l}},mathmlBuilder:ve});x({type:"encl\
ose",names:["\\fcolorbox"],props:{numArgs:3,numOptionalArgs:1,allowedInText:!0,argTypes:["raw","raw","raw","text"]},handler({
parser:e,funcName:t},r,s){let i=s[0]&&M(s[0],"raw").string,a="",l;if(i){let h=M(r[0],"raw").string,g=M(r[0],"raw").string;
a=pe(i,h),l=pe(i,g)}else a=Ae(M(r[0],"raw").string,e.gullet.macros),l=Ae(M(r[1],"raw").string,e.gullet.macros);let u=r[2];
return{type:"enclose",mode:e.mode,label:t,backgroundColor:l,borderColor:a,body:u}},mathmlBuilder:ve});x({type:"enclose",
names:["\\fbox"],props:{numArgs:1,argTypes:["hbox"],allowedInText:!0},handler({parser:e},t){return{type:"enclose",mode:e.
mode,label:"\\fbox",body:t[0]}}});x({type:"enclose",names:["\\angl","\\cancel","\\bcancel","\\xcancel","\\overline","\\bo\
xed","\\longdiv","\\phase"],props:{numArgs:1},handler({parser:e,funcName:t},r){let s=r[0];return{type:"enclose",mode:e.mode,
label:t,body:s}},mathmlBuilder:ve});x({type:"enclose",names:["\\sout"],props:{numArgs:1,allowedInText:!0},handler({parser:e,
funcName:t},r){let s=r[0];return{type:"enclose",mode:e.mode,label:t,body:s}},mathmlBuilder:ve});x({type:"enclose",names:[
"\\underline"],props:{numArgs:1,allowedInText:!0},handler({parser:e,funcName:t},r){let s=r[0];return{type:"enclose",mode:e.
mode,label:t,body:s}},mathmlBuilder:ve});x({type:"enclose",names:["\\textcircled"],props:{numArgs:1,argTypes:["text"],allowedInArgument:!0,
allowedInText:!0},handler({parser:e,funcName:t},r){let s=r[0];return{type:"enclose",mode:e.mode,label:t,body:s}},mathmlBuilder:ve});x({type:"environment",names:["\\begin","\\end"],props:{numArgs:1,argTypes:["text"]},handler({parser:e,funcName:t},r){let s=r[0];
if(s.type!=="ordgroup")throw new y("Invalid environment name",s);let i="";for(let a=0;a<s.body.length;++a)i+=M(s.body[a],
"textord").text;if(t==="\\begin"){if(!Object.prototype.hasOwnProperty.call(Be,i))throw new y("No such environment: "+i,s);
let a=Be[i],{args:l,optArgs:u}=e.parseArguments("\\begin{"+i+"}",a),h={mode:e.mode,envName:i,parser:e},g=a.handler(h,l,u);
e.expect("\\end",!1);let A=e.nextToken,T=M(e.parseFunction(),"environment");if(T.name!==i)throw new y(`Mismatch: \\begin{${i}\
} matched by \\end{${T.name}}`,A);return g}return{type:"environment",mode:e.mode,name:i,nameGroup:s}}});x({type:"envTag",names:["\\env@tag"],props:{numArgs:1,argTypes:["math"]},handler({parser:e},t){return{type:"envTag",mode:e.
mode,body:t[0]}},mathmlBuilder(e,t){return new d("mrow")}});x({type:"noTag",names:["\\env@notag"],props:{numArgs:0},handler({
parser:e}){return{type:"noTag",mode:e.mode}},mathmlBuilder(e,t){return new d("mrow")}});var Tr=Object.freeze({B:8426,E:8427,F:8427,H:8387,I:8391,L:8390,M:8422,R:8393,e:8394,g:8355,o:8389}),Nn=Object.freeze({C:8426,
H:8388,I:8392,R:8394,Z:8398}),Cn=Object.freeze({C:8383,H:8389,N:8391,P:8393,Q:8393,R:8395,Z:8394}),Ar=Object.freeze({"ϵ":119527,
ϑ:119564,ϰ:119534,φ:119577,ϱ:119535,ϖ:119563}),En=Object.freeze({"ϵ":119643,ϑ:119680,ϰ:119650,φ:119693,ϱ:119651,
ϖ:119679}),kr=Object.freeze({"ϵ":119701,ϑ:119738,ϰ:119708,φ:119751,ϱ:119709,ϖ:119737}),On=Object.freeze({"ϵ":119759,
ϑ:119796,ϰ:119766,φ:119809,ϱ:119767,ϖ:119795}),Dn=Object.freeze({upperCaseLatin:{normal:e=>0,bold:e=>119743,italic:e=>119795,
"bold-italic":e=>119847,script:e=>Tr[e]||119899,"script-bold":e=>119951,fraktur:e=>Nn[e]||120003,"fraktur-bold":e=>120107,
"double-struck":e=>Cn[e]||120055,"sans-serif":e=>120159,"sans-serif-bold":e=>120211,"sans-serif-italic":e=>120263,"sans-\
serif-bold-italic":e=>120380,monospace:e=>120367},lowerCaseLatin:{normal:e=>0,bold:e=>119737,italic:e=>e==="h"?8358:119789,
"bold-italic":e=>119841,script:e=>Tr[e]||119893,"script-bold":e=>119945,fraktur:e=>119997,"fraktur-bold":e=>120101,"doub\
le-struck":e=>120049,"sans-serif":e=>120153,"sans-serif-bold":e=>120205,"sans-serif-italic":e=>120257,"sans-serif-bold-i\
talic":e=>120309,monospace:e=>120361},upperCaseGreek:{normal:e=>0,bold:e=>119575,italic:e=>119633,"bold-italic":e=>119575,
script:e=>0,"script-bold":e=>0,fraktur:e=>0,"fraktur-bold":e=>0,"double-struck":e=>0,"sans-serif":e=>119749,"sans-serif-\
bold":e=>119749,"sans-serif-italic":e=>0,"sans-serif-bold-italic":e=>119807,monospace:e=>0},lowerCaseGreek:{normal:e=>0,
bold:e=>119569,italic:e=>119627,"bold-italic":e=>e==="ϕ"?119678:119685,script:e=>0,"script-bold":e=>0,fraktur:e=>0,"fra\
ktur-bold":e=>0,"double-struck":e=>0,"sans-serif":e=>119743,"sans-serif-bold":e=>119743,"sans-serif-italic":e=>0,"sans-s\
erif-bold-italic":e=>119801,monospace:e=>0},varGreek:{normal:e=>0,bold:e=>Ar[e]||-51,italic:e=>0,"bold-italic":e=>En[e]||
58,script:e=>0,"script-bold":e=>0,fraktur:e=>0,"fraktur-bold":e=>0,"double-struck":e=>0,"sans-serif":e=>kr[e]||116,"sans\
-serif-bold":e=>kr[e]||116,"sans-serif-italic":e=>0,"sans-serif-bold-italic":e=>On[e]||174,monospace:e=>0},numeral:{normal:e=>0,
bold:e=>120734,italic:e=>0,"bold-italic":e=>0,script:e=>0,"script-bold":e=>0,fraktur:e=>0,"fraktur-bold":e=>0,"double-st\
ruck":e=>120744,"sans-serif":e=>120754,"sans-serif-bold":e=>120764,"sans-serif-italic":e=>0,"sans-serif-bold-italic":e=>0,
monospace:e=>120774}}),le=(e,t)=>{let r=e.codePointAt(0),s=64<r&&r<91?"upperCaseLatin":96<r&&r<123?"lowerCaseLatin":912<
r&&r<938?"upperCaseGreek":944<r&&r<970||e==="ϕ"?"lowerCaseGreek":120545<r&&r<120572||Ar[e]?"varGreek":47<r&&r<58?"numer\
al":"other";return s==="other"?e:String.fromCodePoint(r+Dn[s][t](e))},vr=Object.freeze({a:"ᴀ",b:"ʙ",c:"ᴄ",d:"ᴅ",e:"\
ᴇ",f:"ꜰ",g:"ɢ",h:"ʜ",i:"ɪ",j:"ᴊ",k:"ᴋ",l:"ʟ",m:"ᴍ",n:"ɴ",o:"ᴏ",p:"ᴘ",q:"ǫ",r:"ʀ",s:"s",t:"ᴛ",u:"ᴜ",
v:"ᴠ",w:"ᴡ",x:"x",y:"ʏ",z:"ᴢ"});var Bn=["mathrm","mathit"],Fn=(e,t)=>{if(!Bn.includes(t)||!e.body||e.body.type!=="ordgroup"||e.body.body.length===1||e.body.
body[0].type!=="mathord")return!1;for(let r=1;r<e.body.body.length;r++){let s=e.body.body[r].type;if(!(s==="mathord"||s===
"textord"&&!isNaN(e.body.body[r].text)))return!1}return!0},Sr=(e,t)=>{let r=e.font,s=t.withFont(r),i=L(e.body,s);if(i.children.
length===0)return i;if(r==="boldsymbol"&&["mo","mpadded","mrow"].includes(i.type))return i.style.fontWeight="bold",i;if(Fn(
e,r)){let u=i.children[0].children[0].children?i.children[0].children[0]:i.children[0];delete u.attributes.mathvariant;for(let g=1;g<
i.children.length;g++)u.children[0].text+=i.children[g].children[0].children?i.children[g].children[0].children[0].text:
i.children[g].children[0].text;if(r==="mathit")return u.children[0].text=u.children[0].text.split("").map(g=>le(g,"itali\
c")).join(""),u;let h=new d("mpadded",[u]);return h.setAttribute("lspace","0"),h}let a=i.children[0].type==="mo";for(let u=1;u<
i.children.length;u++)i.children[u].type==="mo"&&r==="boldsymbol"&&(i.children[u].style.fontWeight="bold"),i.children[u].
type!=="mi"&&(a=!1),(i.children[u].attributes&&i.children[u].attributes.mathvariant||"")!=="normal"&&(a=!1);if(!a)return i;
let l=i.children[0];for(let u=1;u<i.children.length;u++)l.children.push(i.children[u].children[0]);if(l.attributes.mathvariant&&
l.attributes.mathvariant==="normal"){let u=new d("mtext",new q("​"));return new d("mrow",[u,l])}return l},Mr={"\\Bbb":"\
\\mathbb","\\bold":"\\mathbf","\\frak":"\\mathfrak","\\bm":"\\boldsymbol"};x({type:"font",names:["\\mathrm","\\mathit","\
\\mathbf","\\mathnormal","\\up@greek","\\boldsymbol","\\mathbb","\\mathcal","\\mathfrak","\\mathscr","\\mathsf","\\mathsf\
it","\\mathtt","\\Bbb","\\bm","\\bold","\\frak"],props:{numArgs:1,allowedInArgument:!0},handler:({parser:e,funcName:t},r)=>{
let s=se(r[0]),i=t;return i in Mr&&(i=Mr[i]),{type:"font",mode:e.mode,font:i.slice(1),body:s}},mathmlBuilder:Sr});x({type:"\
font",names:["\\rm","\\sf","\\tt","\\bf","\\it","\\cal"],props:{numArgs:0,allowedInText:!0},handler:({parser:e,funcName:t,
breakOnTokenText:r},s)=>{let{mode:i}=e,a=e.parseExpression(!0,r,!0),l=`math${t.slice(1)}`;return{type:"font",mode:i,font:l,
body:{type:"ordgroup",mode:e.mode,body:a}}},mathmlBuilder:Sr});var Lr=["display","text","script","scriptscript"],qn={auto:-1,display:0,text:0,script:1,scriptscript:2},In=(e,t)=>{let r=t;
if(e==="display"){let s=r.level>=I.SCRIPT?I.TEXT:I.DISPLAY;r=r.withLevel(s)}else e==="text"&&r.level===I.DISPLAY?r=r.withLevel(
I.TEXT):e==="auto"?r=r.incrementLevel():e==="script"?r=r.withLevel(I.SCRIPT):e==="scriptscript"&&(r=r.withLevel(I.SCRIPTSCRIPT));
return r},Mt=(e,t)=>{t=In(e.scriptLevel,t);let r=L(e.numer,t),s=L(e.denom,t);t.level===3&&(r.style.mathDepth="2",r.setAttribute(
"scriptlevel","2"),s.style.mathDepth="2",s.setAttribute("scriptlevel","2"));let i=new d("mfrac",[r,s]);if(!e.hasBarLine)
i.setAttribute("linethickness","0px");else if(e.barSize){let a=_(e.barSize,t);i.setAttribute("linethickness",a.number+a.
unit)}if(e.leftDelim!=null||e.rightDelim!=null){let a=[];if(e.leftDelim!=null){let l=new d("mo",[new q(e.leftDelim.replace(
"\\",""))]);l.setAttribute("fence","true"),a.push(l)}if(a.push(i),e.rightDelim!=null){let l=new d("mo",[new q(e.rightDelim.
replace("\\",""))]);l.setAttribute("fence","true"),a.push(l)}i=ae(a)}return e.scriptLevel!=="auto"&&(i=new d("mstyle",[i]),
i.setAttribute("displaystyle",String(e.scriptLevel==="display")),i.setAttribute("scriptlevel",qn[e.scriptLevel])),i};x({
type:"genfrac",names:["\\cfrac","\\dfrac","\\frac","\\tfrac","\\dbinom","\\binom","\\tbinom","\\\\atopfrac","\\\\bracefrac",
"\\\\brackfrac"],props:{numArgs:2,allowedInArgument:!0},handler:({parser:e,funcName:t},r)=>{let s=r[0],i=r[1],a=!1,l=null,
u=null,h="auto";switch(t){case"\\cfrac":case"\\dfrac":case"\\frac":case"\\tfrac":a=!0;break;case"\\\\atopfrac":a=!1;break;case"\
\\dbinom":case"\\binom":case"\\tbinom":l="(",u=")";break;case"\\\\bracefrac":l="\\{",u="\\}";break;case"\\\\brackfrac":l=
"[",u="]";break;default:throw new Error("Unrecognized genfrac command")}return t==="\\cfrac"||t.startsWith("\\d")?h="dis\
play":t.startsWith("\\t")&&(h="text"),{type:"genfrac",mode:e.mode,continued:!1,numer:s,denom:i,hasBarLine:a,leftDelim:l,
rightDelim:u,scriptLevel:h,barSize:null}},mathmlBuilder:Mt});x({type:"infix",names:["\\over","\\choose","\\atop","\\brace",
"\\brack"],props:{numArgs:0,infix:!0},handler({parser:e,funcName:t,token:r}){let s;switch(t){case"\\over":s="\\frac";break;case"\
\\choose":s="\\binom";break;case"\\atop":s="\\\\atopfrac";break;case"\\brace":s="\\\\bracefrac";break;case"\\brack":s="\\\
\\brackfrac";break;default:throw new Error("Unrecognized infix genfrac command")}return{type:"infix",mode:e.mode,replaceWith:s,
token:r}}});var Nr=function(e){let t=null;return e.length>0&&(t=e,t=t==="."?null:t),t};x({type:"genfrac",names:["\\genfra\
c"],props:{numArgs:6,allowedInArgument:!0,argTypes:["math","math","size","text","math","math"]},handler({parser:e},t){let r=t[4],
s=t[5],i=se(t[0]),a=i.type==="atom"&&i.family==="open"?Nr(i.text):null,l=se(t[1]),u=l.type==="atom"&&l.family==="close"?
Nr(l.text):null,h=M(t[2],"size"),g,A=null;h.isBlank?g=!0:(A=h.value,g=A.number>0);let T="auto",w=t[3];if(w.type==="ordgr\
oup"){if(w.body.length>0){let S=M(w.body[0],"textord");T=Lr[Number(S.text)]}}else w=M(w,"textord"),T=Lr[Number(w.text)];
return{type:"genfrac",mode:e.mode,numer:r,denom:s,continued:!1,hasBarLine:g,barSize:A,leftDelim:a,rightDelim:u,scriptLevel:T}},
mathmlBuilder:Mt});x({type:"infix",names:["\\above"],props:{numArgs:1,argTypes:["size"],infix:!0},handler({parser:e,funcName:t,
token:r},s){return{type:"infix",mode:e.mode,replaceWith:"\\\\abovefrac",barSize:M(s[0],"size").value,token:r}}});x({type:"\
genfrac",names:["\\\\abovefrac"],props:{numArgs:3,argTypes:["math","size","math"]},handler:({parser:e,funcName:t},r)=>{let s=r[0],
i=zt(M(r[1],"infix").barSize),a=r[2],l=i.number>0;return{type:"genfrac",mode:e.mode,numer:s,denom:a,continued:!1,hasBarLine:l,
barSize:i,leftDelim:null,rightDelim:null,scriptLevel:"auto"}},mathmlBuilder:Mt});x({type:"hbox",names:["\\hbox"],props:{numArgs:1,argTypes:["hbox"],allowedInArgument:!0,allowedInText:!1},handler({parser:e},t){
return{type:"hbox",mode:e.mode,body:F(t[0])}},mathmlBuilder(e,t){let r=t.withLevel(I.TEXT),s=Y(e.body,r);return he(s)}});var zn=(e,t)=>{let r=Ne(e.label);return r.style["math-depth"]=0,new d(e.isOver?"mover":"munder",[L(e.base,t),r])};x({type:"\
horizBracket",names:["\\overbrace","\\underbrace","\\overbracket","\\underbracket"],props:{numArgs:1},handler({parser:e,
funcName:t},r){return{type:"horizBracket",mode:e.mode,label:t,isOver:/^\\over/.test(t),base:r[0]}},mathmlBuilder:zn});x({type:"html",names:["\\class","\\id","\\style","\\data"],props:{numArgs:2,argTypes:["raw","original"],allowedInText:!0},
handler:({parser:e,funcName:t,token:r},s)=>{let i=M(s[0],"raw").string,a=s[1];if(e.settings.strict)throw new y(`Function\
 "${t}" is disabled in strict mode`,r);let l,u={};switch(t){case"\\class":u.class=i,l={command:"\\class",class:i};break;case"\
\\id":u.id=i,l={command:"\\id",id:i};break;case"\\style":u.style=i,l={command:"\\style",style:i};break;case"\\data":{let h=i.
split(",");for(let g=0;g<h.length;g++){let A=h[g].split("=");if(A.length!==2)throw new y("Error parsing key-value for \\d\
ata");u["data-"+A[0].trim()]=A[1].trim()}l={command:"\\data",attributes:u};break}default:throw new Error("Unrecognized h\
tml command")}if(!e.settings.isTrusted(l))throw new y(`Function "${t}" is not trusted`,r);return{type:"html",mode:e.mode,
attributes:u,body:F(a)}},mathmlBuilder:(e,t)=>{let r=Y(e.body,t),s=[];e.attributes.class&&s.push(...e.attributes.class.trim().
split(/\s+/)),r.classes=s;for(let i in e.attributes)i!=="class"&&Object.prototype.hasOwnProperty.call(e.attributes,i)&&r.
setAttribute(i,e.attributes[i]);return r}});var St=function(e){if(/^[-+]? *(\d+(\.\d*)?|\.\d+)$/.test(e))return{number:+e,unit:"bp"};{let t=/([-+]?) *(\d+(?:\.\d*)?|\.\d+) *([a-z]{2})/.
exec(e);if(!t)throw new y("Invalid size: '"+e+"' in \\includegraphics");let r={number:+(t[1]+t[2]),unit:t[3]};if(!Ke(r))
throw new y("Invalid unit: '"+r.unit+"' in \\includegraphics.");return r}};x({type:"includegraphics",names:["\\includegra\
phics"],props:{numArgs:1,numOptionalArgs:1,argTypes:["raw","url"],allowedInText:!1},handler:({parser:e,token:t},r,s)=>{let i={
number:0,unit:"em"},a={number:.9,unit:"em"},l={number:0,unit:"em"},u="";if(s[0]){let A=M(s[0],"raw").string.split(",");for(let T=0;T<
A.length;T++){let w=A[T].split("=");if(w.length===2){let S=w[1].trim();switch(w[0].trim()){case"alt":u=S;break;case"widt\
h":i=St(S);break;case"height":a=St(S);break;case"totalheight":l=St(S);break;default:throw new y("Invalid key: '"+w[0]+"'\
 in \\includegraphics.")}}}}let h=M(r[0],"url").url;if(u===""&&(u=h,u=u.replace(/^.*[\\/]/,""),u=u.substring(0,u.lastIndexOf(
"."))),!e.settings.isTrusted({command:"\\includegraphics",url:h}))throw new y('Function "\\includegraphics" is not truste\
d',t);return{type:"includegraphics",mode:e.mode,alt:u,width:i,height:a,totalheight:l,src:h}},mathmlBuilder:(e,t)=>{let r=_(
e.height,t),s={number:0,unit:"em"};e.totalheight.number>0&&e.totalheight.unit===r.unit&&e.totalheight.number>r.number&&(s.
number=e.totalheight.number-r.number,s.unit=r.unit);let i=0;e.width.number>0&&(i=_(e.width,t));let a={height:r.number+s.
number+"em"};i.number>0&&(a.width=i.number+i.unit),s.number>0&&(a.verticalAlign=-s.number+s.unit);let l=new We(e.src,e.alt,
a);return l.height=r,l.depth=s,new d("mtext",[l])}});x({type:"kern",names:["\\kern","\\mkern","\\hskip","\\mskip"],props:{numArgs:1,argTypes:["size"],primitive:!0,allowedInText:!0},
handler({parser:e,funcName:t,token:r},s){let i=M(s[0],"size");if(e.settings.strict){let a=t[1]==="m",l=i.value.unit==="m\
u";if(a){if(!l)throw new y(`LaTeX's ${t} supports only mu units, not ${i.value.unit} units`,r);if(e.mode!=="math")throw new y(
`LaTeX's ${t} works only in math mode`,r)}else if(l)throw new y(`LaTeX's ${t} doesn't support mu units`,r)}return{type:"\
kern",mode:e.mode,dimension:i.value}},mathmlBuilder(e,t){let r=_(e.dimension,t),s=r.number>0&&r.unit==="em"?Lt(r.number):
"";if(e.mode==="text"&&s.length>0){let i=new q(s);return new d("mtext",[i])}else if(r.number>=0){let i=new d("mspace");return i.
setAttribute("width",r.number+r.unit),i}else{let i=new d("mrow");return i.style.marginLeft=r.number+r.unit,i}}});var Lt=function(e){
return e>=.05555&&e<=.05556?" ":e>=.1666&&e<=.1667?" ":e>=.2222&&e<=.2223?" ":e>=.2777&&e<=.2778?"  ":""};var Nt=/[^A-Za-z_0-9-]/g;x({type:"label",names:["\\label"],props:{numArgs:1,argTypes:["raw"]},handler({parser:e},t){return{
type:"label",mode:e.mode,string:t[0].string.replace(Nt,"")}},mathmlBuilder(e,t){let r=new d("mrow",[],["tml-label"]);return e.
string.length>0&&r.setLabel(e.string),r}});var Pn=["\\clap","\\llap","\\rlap"];x({type:"lap",names:["\\mathllap","\\mathrlap","\\mathclap","\\clap","\\llap","\\rlap"],
props:{numArgs:1,allowedInText:!0},handler:({parser:e,funcName:t,token:r},s)=>{if(Pn.includes(t)){if(e.settings.strict&&
e.mode!=="text")throw new y(`{${t}} can be used only in text mode.
 Try \\math${t.slice(1)}`,r);t=t.slice(1)}else t=t.slice(5);let i=s[0];return{type:"lap",mode:e.mode,alignment:t,body:i}},
mathmlBuilder:(e,t)=>{let r;if(e.alignment==="llap"){let a=R(F(e.body),t),l=new d("mphantom",a);r=new d("mpadded",[l]),r.
setAttribute("width","0.1px")}let s=L(e.body,t),i;if(e.alignment==="llap"?(s.style.position="absolute",s.style.right="0",
s.style.bottom="0",i=new d("mpadded",[r,s])):i=new d("mpadded",[s]),e.alignment==="rlap")e.body.body.length>0&&e.body.body[0].
type==="genfrac"&&i.setAttribute("lspace","0.16667em");else{let a=e.alignment==="llap"?"-1":"-0.5";i.setAttribute("lspac\
e",a+"width"),e.alignment==="llap"?i.style.position="relative":(i.style.display="flex",i.style.justifyContent="center")}
return i.setAttribute("width","0.1px"),i}});x({type:"ordgroup",names:["\\(","$"],props:{numArgs:0,allowedInText:!0,allowedInMath:!1},handler({funcName:e,parser:t},r){
let s=t.mode;t.switchMode("math");let i=e==="\\("?"\\)":"$",a=t.parseExpression(!1,i);return t.expect(i),t.switchMode(s),
{type:"ordgroup",mode:t.mode,body:a}}});x({type:"text",names:["\\)","\\]"],props:{numArgs:0,allowedInText:!0,allowedInMath:!1},
handler(e,t){throw new y(`Mismatched ${e.funcName}`,t)}});var Rn=(e,t)=>{switch(t.level){case I.DISPLAY:return e.display;case I.TEXT:return e.text;case I.SCRIPT:return e.script;case I.
SCRIPTSCRIPT:return e.scriptscript;default:return e.text}};x({type:"mathchoice",names:["\\mathchoice"],props:{numArgs:4,
primitive:!0},handler:({parser:e},t)=>({type:"mathchoice",mode:e.mode,display:F(t[0]),text:F(t[1]),script:F(t[2]),scriptscript:F(
t[3])}),mathmlBuilder:(e,t)=>{let r=Rn(e,t);return Y(r,t)}});var Gn=["text","textord","mathord","atom"];function Cr(e,t){let r,s=R(e.body,t);if(e.mclass==="minner")r=new d("mpadded",
s);else if(e.mclass==="mord")e.isCharacterBox||s[0].type==="mathord"?(r=s[0],r.type="mi",r.children.length===1&&r.children[0].
text&&r.children[0].text==="∇"&&r.setAttribute("mathvariant","normal")):r=new d("mi",s);else{r=new d("mrow",s),e.mustPromote?
(r=s[0],r.type="mo",e.isCharacterBox&&e.body[0].text&&/[A-Za-z]/.test(e.body[0].text)&&r.setAttribute("mathvariant","ita\
lic")):r=new d("mrow",s);let i=t.level<2;r.type==="mrow"?i&&(e.mclass==="mbin"?(r.children.unshift($(.2222)),r.children.
push($(.2222))):e.mclass==="mrel"?(r.children.unshift($(.2778)),r.children.push($(.2778))):e.mclass==="mpunct"?r.children.
push($(.1667)):e.mclass==="minner"&&(r.children.unshift($(.0556)),r.children.push($(.0556)))):e.mclass==="mbin"?(r.attributes.
lspace=i?"0.2222em":"0",r.attributes.rspace=i?"0.2222em":"0"):e.mclass==="mrel"?(r.attributes.lspace=i?"0.2778em":"0",r.
attributes.rspace=i?"0.2778em":"0"):e.mclass==="mpunct"?(r.attributes.lspace="0em",r.attributes.rspace=i?"0.1667em":"0"):
e.mclass==="mopen"||e.mclass==="mclose"?(r.attributes.lspace="0em",r.attributes.rspace="0em"):e.mclass==="minner"&&i&&(r.
attributes.lspace="0.0556em",r.attributes.width="+0.1111em"),e.mclass==="mopen"||e.mclass==="mclose"||(delete r.attributes.
stretchy,delete r.attributes.form)}return r}x({type:"mclass",names:["\\mathord","\\mathbin","\\mathrel","\\mathopen","\\m\
athclose","\\mathpunct","\\mathinner"],props:{numArgs:1,primitive:!0},handler({parser:e,funcName:t},r){let s=r[0],i=ue(s),
a=!0,l={type:"mathord",text:"",mode:e.mode},u=s.body?s.body:[s];for(let h of u)if(Gn.includes(h.type))P[e.mode][h.text]?
l.text+=P[e.mode][h.text].replace:h.text?l.text+=h.text:h.body&&h.body.map(g=>{l.text+=g.text});else{a=!1;break}return a&&
t==="\\mathord"&&l.type==="mathord"&&l.text.length>1?l:{type:"mclass",mode:e.mode,mclass:"m"+t.slice(5),body:F(a?l:s),isCharacterBox:i,
mustPromote:a}},mathmlBuilder:Cr});var Er=e=>{let t=e.type==="ordgroup"&&e.body.length&&e.body.length===1?e.body[0]:e;if(t.
type==="atom"){let r=e.body.length>0&&e.body[0].text&&P.math[e.body[0].text]?P.math[e.body[0].text].group:t.family;return r===
"bin"||r==="rel"?"m"+r:"mord"}else return"mord"};x({type:"mclass",names:["\\@binrel"],props:{numArgs:2},handler({parser:e},t){
return{type:"mclass",mode:e.mode,mclass:Er(t[0]),body:F(t[1]),isCharacterBox:ue(t[1])}}});x({type:"mclass",names:["\\stac\
krel","\\overset","\\underset"],props:{numArgs:2},handler({parser:e,funcName:t},r){let s=r[1],i=r[0],a;t!=="\\stackrel"?
a=Er(s):a="mrel";let u={type:a==="mrel"||a==="mbin"?"op":"ordgroup",mode:s.mode,limits:!0,alwaysHandleSupSub:!0,parentIsSupSub:!1,
symbol:!1,suppressBaseShift:t!=="\\stackrel",body:F(s)};return{type:"supsub",mode:i.mode,stack:!0,base:u,sup:t==="\\under\
set"?null:i,sub:t==="\\underset"?i:null}},mathmlBuilder:Cr});var rt=(e,t,r)=>{if(!e)return r;let s=L(e,t);return s.type==="mrow"&&s.children.length===0?r:s};x({type:"multiscript",names:[
"\\sideset","\\pres@cript"],props:{numArgs:3},handler({parser:e,funcName:t,token:r},s){if(s[2].body.length===0)throw new y(
t+"cannot parse an empty base.");let i=s[2].body[0];if(e.settings.strict&&t==="\\sideset"&&!i.symbol)throw new y("The ba\
se of \\sideset must be a big operator. Try \\prescript.");if(s[0].body.length>0&&s[0].body[0].type!=="supsub"||s[1].body.
length>0&&s[1].body[0].type!=="supsub")throw new y("\\sideset can parse only subscripts and superscripts in its first two\
 arguments",r);let a=s[0].body.length>0?s[0].body[0]:null,l=s[1].body.length>0?s[1].body[0]:null;return!a&&!l?i:a?{type:"\
multiscript",mode:e.mode,isSideset:t==="\\sideset",prescripts:a,postscripts:l,base:i}:{type:"styling",mode:e.mode,scriptLevel:"\
text",body:[{type:"supsub",mode:e.mode,base:i,sup:l.sup,sub:l.sub}]}},mathmlBuilder(e,t){let r=L(e.base,t),s=new d("mpre\
scripts"),i=new d("none"),a=[],l=rt(e.prescripts.sub,t,i),u=rt(e.prescripts.sup,t,i);if(e.isSideset&&(l.setAttribute("st\
yle","text-align: left;"),u.setAttribute("style","text-align: left;")),e.postscripts){let h=rt(e.postscripts.sub,t,i),g=rt(
e.postscripts.sup,t,i);a=[r,h,g,s,l,u]}else a=[r,s,l,u];return new d("mmultiscripts",a)}});x({type:"not",names:["\\not"],props:{numArgs:1,primitive:!0,allowedInText:!1},handler({parser:e},t){let r=ue(t[0]),s;return r?
(s=F(t[0]),s[0].text.charAt(0)==="\\"&&(s[0].text=P.math[s[0].text].replace),s[0].text=s[0].text.slice(0,1)+"̸"+s[0].text.
slice(1)):s=[{type:"textord",mode:"math",text:"̸"},{type:"kern",mode:"math",dimension:{number:-.6,unit:"em"}},t[0]],{type:"\
not",mode:e.mode,body:s,isCharacterBox:r}},mathmlBuilder(e,t){return e.isCharacterBox?R(e.body,t,!0)[0]:Y(e.body,t)}});var $n=["textord","mathord","atom"],jn=["\\smallint"],nt=["textord","mathord","ordgroup","close","leftright","font"],Or=e=>{
e.attributes.lspace="0.1667em",e.attributes.rspace="0.1667em"},qe=(e,t)=>{let r;if(e.symbol)r=new d("mo",[H(e.name,e.mode)]),
jn.includes(e.name)?r.setAttribute("largeop","false"):r.setAttribute("movablelimits","false"),e.fromMathOp&&Or(r);else if(e.
body)r=new d("mo",R(e.body,t)),e.fromMathOp&&Or(r);else if(r=new d("mi",[new q(e.name.slice(1))]),!e.parentIsSupSub){let s=new d(
"mo",[H("⁡","text")]),i=[r,s];if(e.needsLeadingSpace){let a=new d("mspace");a.setAttribute("width","0.1667em"),i.unshift(
a)}if(!e.isFollowedByDelimiter){let a=new d("mspace");a.setAttribute("width","0.1667em"),i.push(a)}r=new d("mrow",i)}return r},
Un={"∏":"\\prod","∐":"\\coprod","∑":"\\sum","⋀":"\\bigwedge","⋁":"\\bigvee","⋂":"\\bigcap","⋃":"\\bigcup",
"⨀":"\\bigodot","⨁":"\\bigoplus","⨂":"\\bigotimes","⨄":"\\biguplus","⨅":"\\bigsqcap","⨆":"\\bigsqcup","⨃":"\
\\bigcupdot","⨇":"\\bigdoublevee","⨈":"\\bigdoublewedge","⨉":"\\bigtimes"};x({type:"op",names:["\\coprod","\\bigvee",
"\\bigwedge","\\biguplus","\\bigcupplus","\\bigcupdot","\\bigcap","\\bigcup","\\bigdoublevee","\\bigdoublewedge","\\intop",
"\\prod","\\sum","\\bigotimes","\\bigoplus","\\bigodot","\\bigsqcap","\\bigsqcup","\\bigtimes","\\smallint","∏","∐",
"∑","⋀","⋁","⋂","⋃","⨀","⨁","⨂","⨃","⨄","⨅","⨆","⨇","⨈","⨉"],props:{numArgs:0},handler:({parser:e,
funcName:t},r)=>{let s=t;return s.length===1&&(s=Un[s]),{type:"op",mode:e.mode,limits:!0,parentIsSupSub:!1,symbol:!0,stack:!1,
name:s}},mathmlBuilder:qe});x({type:"op",names:["\\mathop"],props:{numArgs:1,primitive:!0},handler:({parser:e},t)=>{let r=t[0],
s=r.body?r.body:[r],i=s.length===1&&$n.includes(s[0].type);return{type:"op",mode:e.mode,limits:!0,parentIsSupSub:!1,symbol:i,
fromMathOp:!0,stack:!1,name:i?s[0].text:null,body:i?null:F(r)}},mathmlBuilder:qe});var Hn={"∫":"\\int","∬":"\\iint",
"∭":"\\iiint","∮":"\\oint","∯":"\\oiint","∰":"\\oiiint","∱":"\\intclockwise","∲":"\\varointclockwise","⨌":"\
\\iiiint","⨍":"\\intbar","⨎":"\\intBar","⨏":"\\fint","⨒":"\\rppolint","⨓":"\\scpolint","⨕":"\\pointint","⨖":"\
\\sqint","⨗":"\\intlarhk","⨘":"\\intx","⨙":"\\intcap","⨚":"\\intcup"};x({type:"op",names:["\\arcsin","\\arccos",
"\\arctan","\\arctg","\\arcctg","\\arg","\\ch","\\cos","\\cosec","\\cosh","\\cot","\\cotg","\\coth","\\csc","\\ctg","\\ct\
h","\\deg","\\dim","\\exp","\\hom","\\ker","\\lg","\\ln","\\log","\\sec","\\sin","\\sinh","\\sh","\\sgn","\\tan","\\tanh",
"\\tg","\\th"],props:{numArgs:0},handler({parser:e,funcName:t}){let r=e.prevAtomType,s=e.gullet.future().text;return{type:"\
op",mode:e.mode,limits:!1,parentIsSupSub:!1,symbol:!1,stack:!1,isFollowedByDelimiter:fe(s),needsLeadingSpace:r.length>0&&
nt.includes(r),name:t}},mathmlBuilder:qe});x({type:"op",names:["\\det","\\gcd","\\inf","\\lim","\\max","\\min","\\Pr","\\\
sup"],props:{numArgs:0},handler({parser:e,funcName:t}){let r=e.prevAtomType,s=e.gullet.future().text;return{type:"op",mode:e.
mode,limits:!0,parentIsSupSub:!1,symbol:!1,stack:!1,isFollowedByDelimiter:fe(s),needsLeadingSpace:r.length>0&&nt.includes(
r),name:t}},mathmlBuilder:qe});x({type:"op",names:["\\int","\\iint","\\iiint","\\iiiint","\\oint","\\oiint","\\oiiint","\
\\intclockwise","\\varointclockwise","\\intbar","\\intBar","\\fint","\\rppolint","\\scpolint","\\pointint","\\sqint","\\i\
ntlarhk","\\intx","\\intcap","\\intcup","∫","∬","∭","∮","∯","∰","∱","∲","⨌","⨍","⨎","⨏","⨒","⨓",
"⨕","⨖","⨗","⨘","⨙","⨚"],props:{numArgs:0,allowedInArgument:!0},handler({parser:e,funcName:t}){let r=t;return r.
length===1&&(r=Hn[r]),{type:"op",mode:e.mode,limits:!1,parentIsSupSub:!1,symbol:!0,stack:!1,name:r}},mathmlBuilder:qe});var Wn=(e,t)=>{let r=R(e.body,t.withFont("mathrm")),s=!0;for(let a=0;a<r.length;a++){let l=r[a];if(l instanceof d)switch(((l.
type==="mrow"||l.type==="mpadded")&&l.children.length===1&&l.children[0]instanceof d||l.type==="mrow"&&l.children.length===
2&&l.children[0]instanceof d&&l.children[1]instanceof d&&l.children[1].type==="mspace"&&!l.children[1].attributes.width&&
l.children[1].children.length===0)&&(l=l.children[0]),l.type){case"mi":case"mn":case"ms":case"mtext":break;case"mspace":
if(l.attributes.width){let u=l.attributes.width.replace("em",""),h=Lt(Number(u));h===""?s=!1:r[a]=new d("mtext",[new q(h)])}
break;case"mo":{let u=l.children[0];l.children.length===1&&u instanceof q?u.text=u.text.replace(/\u2212/,"-").replace(/\u2217/,
"*"):s=!1;break}default:s=!1}else s=!1}if(s){let a=r.map(l=>l.toText()).join("");r=[new q(a)]}else if(r.length===1&&["mo\
ver","munder"].includes(r[0].type)&&(r[0].children[0].type==="mi"||r[0].children[0].type==="mtext")){if(r[0].children[0].
type="mi",e.parentIsSupSub)return new d("mrow",r);{let a=new d("mo",[H("⁡","text")]);return Q([r[0],a])}}let i;if(s?(i=
new d("mi",r),r[0].text.length===1&&i.setAttribute("mathvariant","normal")):i=new d("mrow",r),!e.parentIsSupSub){let a=new d(
"mo",[H("⁡","text")]),l=[i,a];if(e.needsLeadingSpace){let u=new d("mspace");u.setAttribute("width","0.1667em"),l.unshift(
u)}if(!e.isFollowedByDelimiter){let u=new d("mspace");u.setAttribute("width","0.1667em"),l.push(u)}return Q(l)}return i};
x({type:"operatorname",names:["\\operatorname@","\\operatornamewithlimits"],props:{numArgs:1,allowedInArgument:!0},handler:({
parser:e,funcName:t},r)=>{let s=r[0],i=e.prevAtomType,a=e.gullet.future().text;return{type:"operatorname",mode:e.mode,body:F(
s),alwaysHandleSupSub:t==="\\operatornamewithlimits",limits:!1,parentIsSupSub:!1,isFollowedByDelimiter:fe(a),needsLeadingSpace:i.
length>0&&nt.includes(i)}},mathmlBuilder:Wn});p("\\operatorname","\\@ifstar\\operatornamewithlimits\\operatorname@");K({type:"ordgroup",mathmlBuilder(e,t){return Y(e.body,t,e.semisimple)}});x({type:"phantom",names:["\\phantom"],props:{numArgs:1,allowedInText:!0},handler:({parser:e},t)=>{let r=t[0];return{type:"\
phantom",mode:e.mode,body:F(r)}},mathmlBuilder:(e,t)=>{let r=R(e.body,t);return new d("mphantom",r)}});x({type:"hphantom",
names:["\\hphantom"],props:{numArgs:1,allowedInText:!0},handler:({parser:e},t)=>{let r=t[0];return{type:"hphantom",mode:e.
mode,body:r}},mathmlBuilder:(e,t)=>{let r=R(F(e.body),t),s=new d("mphantom",r),i=new d("mpadded",[s]);return i.setAttribute(
"height","0px"),i.setAttribute("depth","0px"),i}});x({type:"vphantom",names:["\\vphantom"],props:{numArgs:1,allowedInText:!0},
handler:({parser:e},t)=>{let r=t[0];return{type:"vphantom",mode:e.mode,body:r}},mathmlBuilder:(e,t)=>{let r=R(F(e.body),
t),s=new d("mphantom",r),i=new d("mpadded",[s]);return i.setAttribute("width","0.1px"),i}});x({type:"pmb",names:["\\pmb"],props:{numArgs:1,allowedInText:!0},handler({parser:e},t){return{type:"pmb",mode:e.mode,body:F(
t[0])}},mathmlBuilder(e,t){let r=R(e.body,t),s=Te(r);return s.setAttribute("style","font-weight:bold"),s}});var Dr=(e,t)=>{let r=t.withLevel(I.TEXT),s=new d("mpadded",[L(e.body,r)]),i=_(e.dy,t);return s.setAttribute("voffset",i.
number+i.unit),i.number>0?s.style.padding=i.number+i.unit+" 0 0 0":s.style.padding="0 0 "+Math.abs(i.number)+i.unit+" 0",
s};x({type:"raise",names:["\\raise","\\lower"],props:{numArgs:2,argTypes:["size","primitive"],primitive:!0},handler({parser:e,
funcName:t},r){let s=M(r[0],"size").value;t==="\\lower"&&(s.number*=-1);let i=r[1];return{type:"raise",mode:e.mode,dy:s,
body:i}},mathmlBuilder:Dr});x({type:"raise",names:["\\raisebox"],props:{numArgs:2,argTypes:["size","hbox"],allowedInText:!0},
handler({parser:e,funcName:t},r){let s=M(r[0],"size").value,i=r[1];return{type:"raise",mode:e.mode,dy:s,body:i}},mathmlBuilder:Dr});x({type:"ref",names:["\\ref","\\eqref"],props:{numArgs:1,argTypes:["raw"]},handler({parser:e,funcName:t},r){return{type:"\
ref",mode:e.mode,funcName:t,string:r[0].string.replace(Nt,"")}},mathmlBuilder(e,t){let r=e.funcName==="\\ref"?["tml-ref"]:
["tml-ref","tml-eqref"];return new we("#"+e.string,r,null)}});x({type:"reflect",names:["\\reflectbox"],props:{numArgs:1,argTypes:["hbox"],allowedInText:!0},handler({parser:e},t){return{
type:"reflect",mode:e.mode,body:t[0]}},mathmlBuilder(e,t){let r=L(e.body,t);return r.style.transform="scaleX(-1)",r}});x({type:"internal",names:["\\relax"],props:{numArgs:0,allowedInText:!0,allowedInArgument:!0},handler({parser:e}){return{
type:"internal",mode:e.mode}}});x({type:"rule",names:["\\rule"],props:{numArgs:2,numOptionalArgs:1,allowedInText:!0,allowedInMath:!0,argTypes:["size","s\
ize","size"]},handler({parser:e},t,r){let s=r[0],i=M(t[0],"size"),a=M(t[1],"size");return{type:"rule",mode:e.mode,shift:s&&
M(s,"size").value,width:i.value,height:a.value}},mathmlBuilder(e,t){let r=_(e.width,t),s=_(e.height,t),i=e.shift?_(e.shift,
t):{number:0,unit:"em"},a=t.color&&t.getColor()||"black",l=new d("mspace");if(r.number>0&&s.number>0&&l.setAttribute("ma\
thbackground",a),l.setAttribute("width",r.number+r.unit),l.setAttribute("height",s.number+s.unit),i.number===0)return l;
let u=new d("mpadded",[l]);return i.number>=0?u.setAttribute("height","+"+i.number+i.unit):(u.setAttribute("height",i.number+
i.unit),u.setAttribute("depth","+"+-i.number+i.unit)),u.setAttribute("voffset",i.number+i.unit),u}});var Br=/^[0-9]$/,Vn={0:"₀",1:"₁",2:"₂",3:"₃",4:"₄",5:"₅",6:"₆",7:"₇",8:"₈",9:"₉"},_n={0:"⁰",1:"¹",
2:"²",3:"³",4:"⁴",5:"⁵",6:"⁶",7:"⁷",8:"⁸",9:"⁹"};x({type:"sfrac",names:["\\sfrac"],props:{numArgs:2,allowedInText:!0,
allowedInMath:!0},handler({parser:e},t){let r="";for(let i of t[0].body){if(i.type!=="textord"||!Br.test(i.text))throw new y(
"Numerator must be an integer.",i);r+=i.text}let s="";for(let i of t[1].body){if(i.type!=="textord"||!Br.test(i.text))throw new y(
"Denominator must be an integer.",i);s+=i.text}return{type:"sfrac",mode:e.mode,numerator:r,denominator:s}},mathmlBuilder(e,t){
let r=e.numerator.split("").map(a=>_n[a]).join(""),s=e.denominator.split("").map(a=>Vn[a]).join(""),i=new q(r+"⁄"+s,e.
mode,t);return new d("mn",[i],["special-fraction"])}});var Fr={"\\tiny":.5,"\\sixptsize":.6,"\\Tiny":.6,"\\scriptsize":.7,"\\footnotesize":.8,"\\small":.9,"\\normalsize":1,"\\l\
arge":1.2,"\\Large":1.44,"\\LARGE":1.728,"\\huge":2.074,"\\Huge":2.488};x({type:"sizing",names:["\\tiny","\\sixptsize","\
\\Tiny","\\scriptsize","\\footnotesize","\\small","\\normalsize","\\large","\\Large","\\LARGE","\\huge","\\Huge"],props:{
numArgs:0,allowedInText:!0},handler:({breakOnTokenText:e,funcName:t,parser:r},s)=>{r.settings.strict&&r.mode==="math"&&console.
log(`Temml strict-mode warning: Command ${t} is invalid in math mode.`);let i=r.parseExpression(!1,e,!0);return{type:"si\
zing",mode:r.mode,funcName:t,body:i}},mathmlBuilder:(e,t)=>{let r=t.withFontSize(Fr[e.funcName]),s=R(e.body,r),i=Te(s),a=(Fr[e.
funcName]/t.fontSize).toFixed(4);return i.setAttribute("mathsize",a+"em"),i}});x({type:"smash",names:["\\smash"],props:{numArgs:1,numOptionalArgs:1,allowedInText:!0},handler:({parser:e},t,r)=>{let s=!1,
i=!1,a=r[0]&&M(r[0],"ordgroup");if(a){let u="";for(let h=0;h<a.body.length;++h)if(u=a.body[h].text,u==="t")s=!0;else if(u===
"b")i=!0;else{s=!1,i=!1;break}}else s=!0,i=!0;let l=t[0];return{type:"smash",mode:e.mode,body:l,smashHeight:s,smashDepth:i}},
mathmlBuilder:(e,t)=>{let r=new d("mpadded",[L(e.body,t)]);return e.smashHeight&&r.setAttribute("height","0px"),e.smashDepth&&
r.setAttribute("depth","0px"),r}});var Xn=["a","c","e","ı","m","n","o","r","s","u","v","w","x","z","α","ε","ι","κ","ν","ο","π","σ","τ","υ","ω",
"\\alpha","\\epsilon","\\iota","\\kappa","\\nu","\\omega","\\pi","\\tau","\\omega"];x({type:"sqrt",names:["\\sqrt"],props:{
numArgs:1,numOptionalArgs:1},handler({parser:e},t,r){let s=r[0],i=t[0];return i.body&&i.body.length===1&&i.body[0].text&&
Xn.includes(i.body[0].text)&&i.body.push({type:"rule",mode:"math",shift:null,width:{number:0,unit:"pt"},height:{number:.5,
unit:"em"}}),{type:"sqrt",mode:e.mode,body:i,index:s}},mathmlBuilder(e,t){let{body:r,index:s}=e;return s?new d("mroot",[
L(r,t),L(s,t.incrementLevel())]):new d("msqrt",[L(r,t)])}});var Yn={display:0,text:1,script:2,scriptscript:3},Zn={display:["0","true"],text:["0","false"],script:["1","false"],scriptscript:[
"2","false"]};x({type:"styling",names:["\\displaystyle","\\textstyle","\\scriptstyle","\\scriptscriptstyle"],props:{numArgs:0,
allowedInText:!0,primitive:!0},handler({breakOnTokenText:e,funcName:t,parser:r},s){let i=r.parseExpression(!0,e,!0),a=t.
slice(1,t.length-5);return{type:"styling",mode:r.mode,scriptLevel:a,body:i}},mathmlBuilder(e,t){let r=t.withLevel(Yn[e.scriptLevel]),
s=R(e.body,r),i=Te(s),a=Zn[e.scriptLevel];return i.setAttribute("scriptlevel",a[0]),i.setAttribute("displaystyle",a[1]),
i}});var Kn=/^m(over|under|underover)$/,Jn="DHKLUcegorsuvxyzΠΥΨαδηιμνοτυχϵ",Qn="BCEFGIMNOPQRSTXZlpqtwΓΘΞΣΦΩβεζθ\
ξρςφψϑϕϱ",eo="AJdfΔΛ";K({type:"supsub",mathmlBuilder(e,t){let r=!1,s,i,a=!1,l=!1,u=!1;e.base&&e.base.type==="h\
orizBracket"&&(i=!!e.sup,i===e.base.isOver&&(r=!0,s=e.base.isOver)),e.base&&!e.stack&&(e.base.type==="op"||e.base.type===
"operatorname")&&(e.base.parentIsSupSub=!0,a=!e.base.symbol,l=a&&!e.isFollowedByDelimiter,u=e.base.needsLeadingSpace);let h=e.
stack&&e.base.body.length===1?[L(e.base.body[0],t)]:[L(e.base,t)],g=t.inSubOrSup();if(e.sub){let w=L(e.sub,g);t.level===
3&&w.setAttribute("scriptlevel","2"),h.push(w)}if(e.sup){let w=L(e.sup,g);if(t.level===3&&w.setAttribute("scriptlevel","\
2"),e.base&&e.base.text&&e.base.text.length===1){let S=e.base.text;Jn.indexOf(S)>-1?w.classes.push("tml-sml-pad"):Qn.indexOf(
S)>-1?w.classes.push("tml-med-pad"):eo.indexOf(S)>-1&&w.classes.push("tml-lrg-pad")}h.push(w)}let A;if(r)A=s?"mover":"mu\
nder";else if(e.sub)if(e.sup){let w=e.base;w&&(w.type==="op"&&w.limits||w.type==="multiscript")&&(t.level===I.DISPLAY||w.
alwaysHandleSupSub)||w&&w.type==="operatorname"&&w.alwaysHandleSupSub&&(t.level===I.DISPLAY||w.limits)?A="munderover":A=
"msubsup"}else{let w=e.base;e.stack||w&&w.type==="op"&&w.limits&&(t.level===I.DISPLAY||w.alwaysHandleSupSub)||w&&w.type===
"operatorname"&&w.alwaysHandleSupSub&&(w.limits||t.level===I.DISPLAY)?A="munder":A="msub"}else{let w=e.base;w&&w.type===
"op"&&w.limits&&(t.level===I.DISPLAY||w.alwaysHandleSupSub)||w&&w.type==="operatorname"&&w.alwaysHandleSupSub&&(w.limits||
t.level===I.DISPLAY)?A="mover":A="msup"}let T=new d(A,h);if(a){let w=new d("mo",[H("⁡","text")]);if(u){let S=new d("ms\
pace");S.setAttribute("width","0.1667em"),T=Q([S,T,w])}else T=Q([T,w]);if(l){let S=new d("mspace");S.setAttribute("width",
"0.1667em"),T.children.push(S)}}else Kn.test(A)&&(T=new d("mrow",[T]));return T}});var to=["\\shortmid","\\nshortmid","\\shortparallel","\\nshortparallel","\\smallsetminus"],ro=["\\Rsh","\\Lsh","\\restric\
tion"],no=e=>{if(e.length===1){let t=e.codePointAt(0);return 8591<t&&t<8704}return e.indexOf("arrow")>-1||e.indexOf("har\
poon")>-1||ro.includes(e)};K({type:"atom",mathmlBuilder(e,t){let r=new d("mo",[H(e.text,e.mode)]);if(e.family==="punct")
r.setAttribute("separator","true");else if(e.family==="open"||e.family==="close")e.family==="open"?(r.setAttribute("form",
"prefix"),r.setAttribute("stretchy","false")):e.family==="close"&&(r.setAttribute("form","postfix"),r.setAttribute("stre\
tchy","false"));else if(e.text==="\\mid")r.setAttribute("lspace","0.22em"),r.setAttribute("rspace","0.22em"),r.setAttribute(
"stretchy","false");else if(e.family==="rel"&&no(e.text))r.setAttribute("stretchy","false");else if(to.includes(e.text))
r.setAttribute("mathsize","70%");else if(e.text===":")r.attributes.lspace="0.2222em",r.attributes.rspace="0.2222em";else if(e.
needsSpacing)return e.family==="bin"?new d("mrow",[$(.222),r,$(.222)]):new d("mrow",[$(.2778),r,$(.2778)]);return r}});var qr={mathbf:"bold",mathrm:"normal",textit:"italic",mathit:"italic",mathnormal:"italic",mathbb:"double-struck",mathcal:"\
script",mathfrak:"fraktur",mathscr:"script",mathsf:"sans-serif",mathtt:"monospace"},Ct=function(e,t){if(t.fontFamily==="\
texttt")return"monospace";if(t.fontFamily==="textsc")return"normal";if(t.fontFamily==="textsf")return t.fontShape==="tex\
tit"&&t.fontWeight==="textbf"?"sans-serif-bold-italic":t.fontShape==="textit"?"sans-serif-italic":t.fontWeight==="textbf"?
"sans-serif-bold":"sans-serif";if(t.fontShape==="textit"&&t.fontWeight==="textbf")return"bold-italic";if(t.fontShape==="\
textit")return"italic";if(t.fontWeight==="textbf")return"bold";let r=t.font;if(!r||r==="mathnormal")return null;let s=e.
mode;switch(r){case"mathit":return"italic";case"mathrm":{let a=e.text.codePointAt(0);return 939<a&&a<975?"italic":"norma\
l"}case"greekItalic":return"italic";case"up@greek":return"normal";case"boldsymbol":case"mathboldsymbol":return"bold-ital\
ic";case"mathbf":return"bold";case"mathbb":return"double-struck";case"mathfrak":return"fraktur";case"mathscr":case"mathc\
al":return"script";case"mathsf":return"sans-serif";case"mathsfit":return"sans-serif-italic";case"mathtt":return"monospac\
e";default:break}let i=e.text;return P[s][i]&&P[s][i].replace&&(i=P[s][i].replace),Object.prototype.hasOwnProperty.call(
qr,r)?qr[r]:null};var oo=/^\d(?:[\d,.]*\d)?$/,so=/[A-Ba-z]/,io=new Set(["\\prime","\\dprime","\\trprime","\\qprime","\\backprime","\\backdp\
rime","\\backtrprime"]),ao=(e,t,r)=>{let s=new d(r,[e]),i=new d("mstyle",[s]);return i.style["font-style"]="italic",i.style["\
font-family"]="Cambria, 'Times New Roman', serif",t==="bold-italic"&&(i.style["font-weight"]="bold"),i};K({type:"mathord",
mathmlBuilder(e,t){let r=H(e.text,e.mode,t),s=r.text.codePointAt(0),i=912<s&&s<938?"normal":"italic",a=Ct(e,t)||i;if(a===
"script")return r.text=le(r.text,a),new d("mi",[r],[t.font]);a!=="italic"&&(r.text=le(r.text,a));let l=new d("mi",[r]);if(a===
"normal"&&(l.setAttribute("mathvariant","normal"),r.text.length===1)){let u=new d("mspace",[]);l=new d("mrow",[l,u])}return l}});
K({type:"textord",mathmlBuilder(e,t){let r=e.text,s=r.codePointAt(0);t.fontFamily==="textsc"&&96<s&&s<123&&(r=vr[r]);let i=H(
r,e.mode,t),a=Ct(e,t)||"normal",l;if(oo.test(e.text)){let u=e.mode==="text"?"mtext":"mn";if(a==="italic"||a==="bold-ital\
ic")return ao(i,a,u);a!=="normal"&&(i.text=i.text.split("").map(h=>le(h,a)).join("")),l=new d(u,[i])}else if(e.mode==="t\
ext")a!=="normal"&&(i.text=le(i.text,a)),l=new d("mtext",[i]);else if(io.has(e.text))l=new d("mo",[i]),l.classes.push("t\
ml-prime");else{let u=i.text;a!=="italic"&&(i.text=le(i.text,a)),l=new d("mi",[i]),i.text===u&&so.test(u)&&l.setAttribute(
"mathvariant","italic")}return l}});var lo={"\\nobreak":"nobreak","\\allowbreak":"allowbreak"},uo={" ":{},"\\ ":{},"~":{className:"nobreak"},"\\space":{},"\\\
nobreakspace":{className:"nobreak"}};K({type:"spacing",mathmlBuilder(e,t){let r;if(Object.prototype.hasOwnProperty.call(
uo,e.text))r=new d("mtext",[new q(" ")]);else if(Object.prototype.hasOwnProperty.call(lo,e.text))r=new d("mo"),e.text===
"\\nobreak"&&r.setAttribute("linebreak","nobreak");else throw new y(`Unknown type of space "${e.text}"`);return r}});K({type:"tag"});var Ir={"\\text":void 0,"\\textrm":"textrm","\\textsf":"textsf","\\texttt":"texttt","\\textnormal":"textrm","\\textsc":"\
textsc"},zr={"\\textbf":"textbf","\\textmd":"textmd"},mo={"\\textit":"textit","\\textup":"textup"},co=(e,t)=>{let r=e.font;
if(r){if(Ir[r])return t.withTextFontFamily(Ir[r]);if(zr[r])return t.withTextFontWeight(zr[r]);if(r==="\\emph")return t.fontShape===
"textit"?t.withTextFontShape("textup"):t.withTextFontShape("textit")}else return t;return t.withTextFontShape(mo[r])};x(
{type:"text",names:["\\text","\\textrm","\\textsf","\\texttt","\\textnormal","\\textsc","\\textbf","\\textmd","\\textit",
"\\textup","\\emph"],props:{numArgs:1,argTypes:["text"],allowedInArgument:!0,allowedInText:!0},handler({parser:e,funcName:t},r){
let s=r[0];return{type:"text",mode:e.mode,body:F(s),font:t}},mathmlBuilder(e,t){let r=co(e,t),s=Y(e.body,r);return he(s)}});x({type:"vcenter",names:["\\vcenter"],props:{numArgs:1,argTypes:["original"],allowedInText:!1},handler({parser:e},t){return{
type:"vcenter",mode:e.mode,body:t[0]}},mathmlBuilder(e,t){let r=new d("mtd",[L(e.body,t)]);r.style.padding="0";let s=new d(
"mtr",[r]);return new d("mtable",[s])}});x({type:"verb",names:["\\verb"],props:{numArgs:0,allowedInText:!0},handler(e,t,r){throw new y("\\verb ended by end of lin\
e instead of matching delimiter")},mathmlBuilder(e,t){let r=new q(ho(e)),s=new d("mtext",[r]);return s.setAttribute("mat\
hvariant","monospace"),s}});var ho=e=>e.body.replace(/ /g,e.star?"␣":" ");var po=at,oe=po;var Pr=`[ \r
	]`,fo="\\\\[a-zA-Z@]+",bo="\\\\[^\uD800-\uDFFF]",go=`(${fo})${Pr}*`,xo=`\\\\(
|[ \r	]+
?)[ \r	]*`,Et="[̀-ͯ]",Ot=new RegExp(`${Et}+$`),yo=`(${Pr}+)|${xo}|([!-\\[\\]-‧‪-퟿豈-￿]${Et}*|[\uD800-\uDBFF][\uDC00-\uDFFF]${Et}\
*|\\\\verb\\*([^]).*?\\4|\\\\verb([^*a-zA-Z]).*?\\5|${go}|${bo})`,Me=class{constructor(t,r){this.input=t,this.settings=r,
this.tokenRegex=new RegExp(yo,"g"),this.catcodes={"%":14,"~":13}}setCatcode(t,r){this.catcodes[t]=r}lex(){let t=this.input,
r=this.tokenRegex.lastIndex;if(r===t.length)return new X("EOF",new W(this,r,r));let s=this.tokenRegex.exec(t);if(s===null||
s.index!==r)throw new y(`Unexpected character: '${t[r]}'`,new X(t[r],new W(this,r,r+1)));let i=s[6]||s[3]||(s[2]?"\\ ":"\
 ");if(this.catcodes[i]===14){let a=t.indexOf(`
`,this.tokenRegex.lastIndex);if(a===-1){if(this.tokenRegex.lastIndex=t.length,this.settings.strict)throw new y("% commen\
t has no terminating newline; LaTeX would fail because of commenting the end of math mode")}else this.tokenRegex.lastIndex=
a+1;return this.lex()}return new X(i,new W(this,r,this.tokenRegex.lastIndex))}};var Ie=class{constructor(t=Object.create(null),r=Object.create(null)){this.current=r,this.builtins=t,this.undefStack=[]}beginGroup(){
this.undefStack.push(Object.create(null))}endGroup(){if(this.undefStack.length===0)throw new y("Unbalanced namespace des\
truction: attempt to pop global namespace; please report this as a bug");let t=this.undefStack.pop();for(let r in t)Object.
prototype.hasOwnProperty.call(t,r)&&(t[r]===void 0?delete this.current[r]:this.current[r]=t[r])}has(t){return Object.prototype.
hasOwnProperty.call(this.current,t)||Object.prototype.hasOwnProperty.call(this.builtins,t)}get(t){return Object.prototype.
hasOwnProperty.call(this.current,t)?this.current[t]:this.builtins[t]}set(t,r,s=!1){if(s){for(let i=0;i<this.undefStack.length;i++)
delete this.undefStack[i][t];this.undefStack.length>0&&(this.undefStack[this.undefStack.length-1][t]=r)}else{let i=this.
undefStack[this.undefStack.length-1];i&&!Object.prototype.hasOwnProperty.call(i,t)&&(i[t]=this.current[t])}this.current[t]=
r}};var Dt={"^":!0,_:!0,"\\limits":!0,"\\nolimits":!0},ze=class{constructor(t,r,s){this.settings=r,this.expansionCount=0,this.
feed(t),this.macros=new Ie(sr,r.macros),this.mode=s,this.stack=[]}feed(t){this.lexer=new Me(t,this.settings)}switchMode(t){
this.mode=t}beginGroup(){this.macros.beginGroup()}endGroup(){this.macros.endGroup()}future(){return this.stack.length===
0&&this.pushToken(this.lexer.lex()),this.stack[this.stack.length-1]}popToken(){return this.future(),this.stack.pop()}pushToken(t){
this.stack.push(t)}pushTokens(t){this.stack.push(...t)}scanArgument(t){let r,s,i;if(t){if(this.consumeSpaces(),this.future().
text!=="[")return null;r=this.popToken(),{tokens:i,end:s}=this.consumeArg(["]"])}else({tokens:i,start:r,end:s}=this.consumeArg());
return this.pushToken(new X("EOF",s.loc)),this.pushTokens(i),new X("",W.range(r,s))}consumeSpaces(){for(;this.future().text===
" ";)this.stack.pop()}consumeArg(t){let r=[],s=t&&t.length>0;s||this.consumeSpaces();let i=this.future(),a,l=0,u=0;do{if(a=
this.popToken(),r.push(a),a.text==="{")++l;else if(a.text==="}"){if(--l,l===-1)throw new y("Extra }",a)}else if(a.text===
"EOF")throw new y("Unexpected end of input in a macro argument, expected '"+(t&&s?t[u]:"}")+"'",a);if(t&&s)if((l===0||l===
1&&t[u]==="{")&&a.text===t[u]){if(++u,u===t.length){r.splice(-u,u);break}}else u=0}while(l!==0||s);return i.text==="{"&&
r[r.length-1].text==="}"&&(r.pop(),r.shift()),r.reverse(),{tokens:r,start:i,end:a}}consumeArgs(t,r){if(r){if(r.length!==
t+1)throw new y("The length of delimiters doesn't match the number of args!");let i=r[0];for(let a=0;a<i.length;a++){let l=this.
popToken();if(i[a]!==l.text)throw new y("Use of the macro doesn't match its definition",l)}}let s=[];for(let i=0;i<t;i++)
s.push(this.consumeArg(r&&r[i+1]).tokens);return s}expandOnce(t){let r=this.popToken(),s=r.text,i=r.noexpand?null:this._getExpansion(
s);if(i==null||t&&i.unexpandable){if(t&&i==null&&s[0]==="\\"&&!this.isDefined(s))throw new y("Undefined control sequence\
: "+s);return this.pushToken(r),!1}if(this.expansionCount++,this.expansionCount>this.settings.maxExpand)throw new y("Too\
 many expansions: infinite loop or need to increase maxExpand setting");let a=i.tokens,l=this.consumeArgs(i.numArgs,i.delimiters);
if(i.numArgs){a=a.slice();for(let u=a.length-1;u>=0;--u){let h=a[u];if(h.text==="#"){if(u===0)throw new y("Incomplete pl\
aceholder at end of macro body",h);if(h=a[--u],h.text==="#")a.splice(u+1,1);else if(/^[1-9]$/.test(h.text))a.splice(u,2,
...l[+h.text-1]);else throw new y("Not a valid argument number",h)}}}return this.pushTokens(a),a.length}expandAfterFuture(){
return this.expandOnce(),this.future()}expandNextToken(){for(;;)if(this.expandOnce()===!1){let t=this.stack.pop();return t.
treatAsRelax&&(t.text="\\relax"),t}throw new Error}expandMacro(t){return this.macros.has(t)?this.expandTokens([new X(t)]):
void 0}expandTokens(t){let r=[],s=this.stack.length;for(this.pushTokens(t);this.stack.length>s;)if(this.expandOnce(!0)===
!1){let i=this.stack.pop();i.treatAsRelax&&(i.noexpand=!1,i.treatAsRelax=!1),r.push(i)}return r}expandMacroAsText(t){let r=this.
expandMacro(t);return r&&r.map(s=>s.text).join("")}_getExpansion(t){let r=this.macros.get(t);if(r==null)return r;if(t.length===
1){let i=this.lexer.catcodes[t];if(i!=null&&i!==13)return}let s=typeof r=="function"?r(this):r;if(typeof s=="string"){let i=0;
if(s.indexOf("#")!==-1){let g=s.replace(/##/g,"");for(;g.indexOf("#"+(i+1))!==-1;)++i}let a=new Me(s,this.settings),l=[],
u=a.lex();for(;u.text!=="EOF";)l.push(u),u=a.lex();return l.reverse(),{tokens:l,numArgs:i}}return s}isDefined(t){return this.
macros.has(t)||Object.prototype.hasOwnProperty.call(oe,t)||Object.prototype.hasOwnProperty.call(P.math,t)||Object.prototype.
hasOwnProperty.call(P.text,t)||Object.prototype.hasOwnProperty.call(Dt,t)}isExpandable(t){let r=this.macros.get(t);return r!=
null?typeof r=="string"||typeof r=="function"||!r.unexpandable:Object.prototype.hasOwnProperty.call(oe,t)&&!oe[t].primitive}};var Bt=/^[₊₋₌₍₎₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ]/,
Pe=Object.freeze({"₊":"+","₋":"-","₌":"=","₍":"(","₎":")","₀":"0","₁":"1","₂":"2","₃":"3","₄":"4","₅":"\
5","₆":"6","₇":"7","₈":"8","₉":"9","ₐ":"a","ₑ":"e","ₕ":"h","ᵢ":"i","ⱼ":"j","ₖ":"k","ₗ":"l","ₘ":"\
m","ₙ":"n","ₒ":"o","ₚ":"p","ᵣ":"r","ₛ":"s","ₜ":"t","ᵤ":"u","ᵥ":"v","ₓ":"x","ᵦ":"β","ᵧ":"γ","ᵨ":"\
ρ","ᵩ":"ϕ","ᵪ":"χ","⁺":"+","⁻":"-","⁼":"=","⁽":"(","⁾":")","⁰":"0","¹":"1","²":"2","³":"3","⁴":"\
4","⁵":"5","⁶":"6","⁷":"7","⁸":"8","⁹":"9","ᴬ":"A","ᴮ":"B","ᴰ":"D","ᴱ":"E","ᴳ":"G","ᴴ":"H","ᴵ":"\
I","ᴶ":"J","ᴷ":"K","ᴸ":"L","ᴹ":"M","ᴺ":"N","ᴼ":"O","ᴾ":"P","ᴿ":"R","ᵀ":"T","ᵁ":"U","ⱽ":"V","ᵂ":"\
W","ᵃ":"a","ᵇ":"b","ᶜ":"c","ᵈ":"d","ᵉ":"e","ᶠ":"f","ᵍ":"g",ʰ:"h","ⁱ":"i",ʲ:"j","ᵏ":"k",ˡ:"l","ᵐ":"\
m",ⁿ:"n","ᵒ":"o","ᵖ":"p",ʳ:"r",ˢ:"s","ᵗ":"t","ᵘ":"u","ᵛ":"v",ʷ:"w",ˣ:"x",ʸ:"y","ᶻ":"z","ᵝ":"β","ᵞ":"\
γ","ᵟ":"δ","ᵠ":"ϕ","ᵡ":"χ","ᶿ":"θ"});var Ft=Object.freeze({"𝒜":"A",ℬ:"B","𝒞":"C","𝒟":"D",ℰ:"E",ℱ:"F","𝒢":"G",ℋ:"H",ℐ:"I","𝒥":"J","𝒦":"\
K",ℒ:"L",ℳ:"M","𝒩":"N","𝒪":"O","𝒫":"P","𝒬":"Q",ℛ:"R","𝒮":"S","𝒯":"T","𝒰":"U","𝒱":"V","𝒲":"\
W","𝒳":"X","𝒴":"Y","𝒵":"Z"});var ot={"́":{text:"\\'",math:"\\acute"},"̀":{text:"\\`",math:"\\grave"},"̈":{text:'\\"',math:"\\ddot"},"̃":{text:"\\~",
math:"\\tilde"},"̄":{text:"\\=",math:"\\bar"},"̆":{text:"\\u",math:"\\breve"},"̌":{text:"\\v",math:"\\check"},"̂":{text:"\
\\^",math:"\\hat"},"̇":{text:"\\.",math:"\\dot"},"̊":{text:"\\r",math:"\\mathring"},"̋":{text:"\\H"},"̧":{text:"\\c"}};var qt={á:"á",à:"à",ä:"ä",ǟ:"ǟ",ã:"ã",ā:"ā",ă:"ă",ắ:"ắ",ằ:"ằ",ẵ:"ẵ",ǎ:"ǎ",â:"\
â",ấ:"ấ",ầ:"ầ",ẫ:"ẫ",ȧ:"ȧ",ǡ:"ǡ",å:"å",ǻ:"ǻ",ḃ:"ḃ",ć:"ć",č:"č",ĉ:"ĉ",ċ:"\
ċ",ď:"ď",ḋ:"ḋ",é:"é",è:"è",ë:"ë",ẽ:"ẽ",ē:"ē",ḗ:"ḗ",ḕ:"ḕ",ĕ:"ĕ",ě:"ě",ê:"ê",
ế:"ế",ề:"ề",ễ:"ễ",ė:"ė",ḟ:"ḟ",ǵ:"ǵ",ḡ:"ḡ",ğ:"ğ",ǧ:"ǧ",ĝ:"ĝ",ġ:"ġ",ḧ:"ḧ",
ȟ:"ȟ",ĥ:"ĥ",ḣ:"ḣ",í:"í",ì:"ì",ï:"ï",ḯ:"ḯ",ĩ:"ĩ",ī:"ī",ĭ:"ĭ",ǐ:"ǐ",î:"î",ǰ:"ǰ",
ĵ:"ĵ",ḱ:"ḱ",ǩ:"ǩ",ĺ:"ĺ",ľ:"ľ",ḿ:"ḿ",ṁ:"ṁ",ń:"ń",ǹ:"ǹ",ñ:"ñ",ň:"ň",ṅ:"ṅ",ó:"ó",
ò:"ò",ö:"ö",ȫ:"ȫ",õ:"õ",ṍ:"ṍ",ṏ:"ṏ",ȭ:"ȭ",ō:"ō",ṓ:"ṓ",ṑ:"ṑ",ŏ:"ŏ",ǒ:"o\
̌",ô:"ô",ố:"ố",ồ:"ồ",ỗ:"ỗ",ȯ:"ȯ",ȱ:"ȱ",ő:"ő",ṕ:"ṕ",ṗ:"ṗ",ŕ:"ŕ",ř:"ř",ṙ:"\
ṙ",ś:"ś",ṥ:"ṥ",š:"š",ṧ:"ṧ",ŝ:"ŝ",ṡ:"ṡ",ẗ:"ẗ",ť:"ť",ṫ:"ṫ",ú:"ú",ù:"ù",ü:"ü",
ǘ:"ǘ",ǜ:"ǜ",ǖ:"ǖ",ǚ:"ǚ",ũ:"ũ",ṹ:"ṹ",ū:"ū",ṻ:"ṻ",ŭ:"ŭ",ǔ:"ǔ",û:"û",ů:"ů",
ű:"ű",ṽ:"ṽ",ẃ:"ẃ",ẁ:"ẁ",ẅ:"ẅ",ŵ:"ŵ",ẇ:"ẇ",ẘ:"ẘ",ẍ:"ẍ",ẋ:"ẋ",ý:"ý",ỳ:"ỳ",ÿ:"\
ÿ",ỹ:"ỹ",ȳ:"ȳ",ŷ:"ŷ",ẏ:"ẏ",ẙ:"ẙ",ź:"ź",ž:"ž",ẑ:"ẑ",ż:"ż",Á:"Á",À:"À",Ä:"Ä",Ǟ:"\
Ǟ",Ã:"Ã",Ā:"Ā",Ă:"Ă",Ắ:"Ắ",Ằ:"Ằ",Ẵ:"Ẵ",Ǎ:"Ǎ",Â:"Â",Ấ:"Ấ",Ầ:"Ầ",Ẫ:"Ẫ",
Ȧ:"Ȧ",Ǡ:"Ǡ",Å:"Å",Ǻ:"Ǻ",Ḃ:"Ḃ",Ć:"Ć",Č:"Č",Ĉ:"Ĉ",Ċ:"Ċ",Ď:"Ď",Ḋ:"Ḋ",É:"É",È:"È",
Ë:"Ë",Ẽ:"Ẽ",Ē:"Ē",Ḗ:"Ḗ",Ḕ:"Ḕ",Ĕ:"Ĕ",Ě:"Ě",Ê:"Ê",Ế:"Ế",Ề:"Ề",Ễ:"Ễ",Ė:"E\
̇",Ḟ:"Ḟ",Ǵ:"Ǵ",Ḡ:"Ḡ",Ğ:"Ğ",Ǧ:"Ǧ",Ĝ:"Ĝ",Ġ:"Ġ",Ḧ:"Ḧ",Ȟ:"Ȟ",Ĥ:"Ĥ",Ḣ:"Ḣ",Í:"Í",Ì:"\
Ì",Ï:"Ï",Ḯ:"Ḯ",Ĩ:"Ĩ",Ī:"Ī",Ĭ:"Ĭ",Ǐ:"Ǐ",Î:"Î",İ:"İ",Ĵ:"Ĵ",Ḱ:"Ḱ",Ǩ:"Ǩ",Ĺ:"Ĺ",Ľ:"\
Ľ",Ḿ:"Ḿ",Ṁ:"Ṁ",Ń:"Ń",Ǹ:"Ǹ",Ñ:"Ñ",Ň:"Ň",Ṅ:"Ṅ",Ó:"Ó",Ò:"Ò",Ö:"Ö",Ȫ:"Ȫ",Õ:"Õ",Ṍ:"\
Ṍ",Ṏ:"Ṏ",Ȭ:"Ȭ",Ō:"Ō",Ṓ:"Ṓ",Ṑ:"Ṑ",Ŏ:"Ŏ",Ǒ:"Ǒ",Ô:"Ô",Ố:"Ố",Ồ:"Ồ",Ỗ:"O\
̂̃",Ȯ:"Ȯ",Ȱ:"Ȱ",Ő:"Ő",Ṕ:"Ṕ",Ṗ:"Ṗ",Ŕ:"Ŕ",Ř:"Ř",Ṙ:"Ṙ",Ś:"Ś",Ṥ:"Ṥ",Š:"Š",Ṧ:"Š\
̇",Ŝ:"Ŝ",Ṡ:"Ṡ",Ť:"Ť",Ṫ:"Ṫ",Ú:"Ú",Ù:"Ù",Ü:"Ü",Ǘ:"Ǘ",Ǜ:"Ǜ",Ǖ:"Ǖ",Ǚ:"Ǚ",Ũ:"Ũ",
Ṹ:"Ṹ",Ū:"Ū",Ṻ:"Ṻ",Ŭ:"Ŭ",Ǔ:"Ǔ",Û:"Û",Ů:"Ů",Ű:"Ű",Ṽ:"Ṽ",Ẃ:"Ẃ",Ẁ:"Ẁ",Ẅ:"Ẅ",Ŵ:"\
Ŵ",Ẇ:"Ẇ",Ẍ:"Ẍ",Ẋ:"Ẋ",Ý:"Ý",Ỳ:"Ỳ",Ÿ:"Ÿ",Ỹ:"Ỹ",Ȳ:"Ȳ",Ŷ:"Ŷ",Ẏ:"Ẏ",Ź:"Ź",Ž:"Ž",Ẑ:"\
Ẑ",Ż:"Ż",ά:"ά",ὰ:"ὰ",ᾱ:"ᾱ",ᾰ:"ᾰ",έ:"έ",ὲ:"ὲ",ή:"ή",ὴ:"ὴ",ί:"ί",ὶ:"ὶ",
ϊ:"ϊ",ΐ:"ΐ",ῒ:"ῒ",ῑ:"ῑ",ῐ:"ῐ",ό:"ό",ὸ:"ὸ",ύ:"ύ",ὺ:"ὺ",ϋ:"ϋ",ΰ:"ΰ",
ῢ:"ῢ",ῡ:"ῡ",ῠ:"ῠ",ώ:"ώ",ὼ:"ὼ",Ύ:"Ύ",Ὺ:"Ὺ",Ϋ:"Ϋ",Ῡ:"Ῡ",Ῠ:"Ῠ",Ώ:"Ώ",Ὼ:"\
Ὼ"};var wo=["bin","op","open","punct","rel"],To=/([-+]?) *(\d+(?:\.\d*)?|\.\d+) *([a-z]{2})/,ko=/^ *\\text/,Se=class e{constructor(t,r,s=!1){
this.mode="math",this.gullet=new ze(t,r,this.mode),this.settings=r,this.isPreamble=s,this.leftrightDepth=0,this.prevAtomType=
""}expect(t,r=!0){if(this.fetch().text!==t)throw new y(`Expected '${t}', got '${this.fetch().text}'`,this.fetch());r&&this.
consume()}consume(){this.nextToken=null}fetch(){return this.nextToken==null&&(this.nextToken=this.gullet.expandNextToken()),
this.nextToken}switchMode(t){this.mode=t,this.gullet.switchMode(t)}parse(){this.gullet.beginGroup(),this.settings.colorIsTextColor&&
this.gullet.macros.set("\\color","\\textcolor");let t=this.parseExpression(!1);if(this.expect("EOF"),this.isPreamble){let s=Object.
create(null);return Object.entries(this.gullet.macros.current).forEach(([i,a])=>{s[i]=a}),this.gullet.endGroup(),s}let r=this.
gullet.macros.get("\\df@tag");return this.gullet.endGroup(),r&&(this.gullet.macros.current["\\df@tag"]=r),t}static get endOfExpression(){
return["}","\\endgroup","\\end","\\right","\\endtoggle","&"]}subparse(t){let r=this.nextToken;this.consume(),this.gullet.
pushToken(new X("}")),this.gullet.pushTokens(t);let s=this.parseExpression(!1);return this.expect("}"),this.nextToken=r,
s}parseExpression(t,r,s){let i=[];for(this.prevAtomType="";;){this.mode==="math"&&this.consumeSpaces();let a=this.fetch();
if(e.endOfExpression.indexOf(a.text)!==-1||r&&a.text===r||s&&a.text==="\\middle"||t&&oe[a.text]&&oe[a.text].infix)break;
let l=this.parseAtom(r);if(l){if(l.type==="internal")continue}else break;i.push(l),this.prevAtomType=l.type==="atom"?l.family:
l.type}return this.mode==="text"&&this.formLigatures(i),this.handleInfixNodes(i)}handleInfixNodes(t){let r=-1,s;for(let i=0;i<
t.length;i++)if(t[i].type==="infix"){if(r!==-1)throw new y("only one infix operator per group",t[i].token);r=i,s=t[i].replaceWith}
if(r!==-1&&s){let i,a,l=t.slice(0,r),u=t.slice(r+1);l.length===1&&l[0].type==="ordgroup"?i=l[0]:i={type:"ordgroup",mode:this.
mode,body:l},u.length===1&&u[0].type==="ordgroup"?a=u[0]:a={type:"ordgroup",mode:this.mode,body:u};let h;return s==="\\\\a\
bovefrac"?h=this.callFunction(s,[i,t[r],a],[]):h=this.callFunction(s,[i,a],[]),[h]}else return t}handleSupSubscript(t){let r=this.
fetch(),s=r.text;this.consume(),this.consumeSpaces();let i;do i=this.parseGroup(t);while(i.type&&i.type==="internal");if(!i)
throw new y("Expected group after '"+s+"'",r);return i}formatUnsupportedCmd(t){let r=[];for(let a=0;a<t.length;a++)r.push(
{type:"textord",mode:"text",text:t[a]});let s={type:"text",mode:this.mode,body:r};return{type:"color",mode:this.mode,color:this.
settings.errorColor,body:[s]}}parseAtom(t){let r=this.parseGroup("atom",t);if(r&&r.type==="internal"||this.mode==="text")
return r;let s,i;for(;;){this.consumeSpaces();let a=this.fetch();if(a.text==="\\limits"||a.text==="\\nolimits"){if(r&&r.
type==="op"){let l=a.text==="\\limits";r.limits=l,r.alwaysHandleSupSub=!0}else if(r&&r.type==="operatorname")r.alwaysHandleSupSub&&
(r.limits=a.text==="\\limits");else throw new y("Limit controls must follow a math operator",a);this.consume()}else if(a.
text==="^"){if(s)throw new y("Double superscript",a);s=this.handleSupSubscript("superscript")}else if(a.text==="_"){if(i)
throw new y("Double subscript",a);i=this.handleSupSubscript("subscript")}else if(a.text==="'"){if(s)throw new y("Double \
superscript",a);let l={type:"textord",mode:this.mode,text:"\\prime"},u=[l];for(this.consume();this.fetch().text==="'";)u.
push(l),this.consume();this.fetch().text==="^"&&u.push(this.handleSupSubscript("superscript")),s={type:"ordgroup",mode:this.
mode,body:u}}else if(Pe[a.text]){let l=Bt.test(a.text),u=[];for(u.push(new X(Pe[a.text])),this.consume();;){let g=this.fetch().
text;if(!Pe[g]||Bt.test(g)!==l)break;u.unshift(new X(Pe[g])),this.consume()}let h=this.subparse(u);l?i={type:"ordgroup",
mode:"math",body:h}:s={type:"ordgroup",mode:"math",body:h}}else break}if(s||i){if(r&&r.type==="multiscript"&&!r.postscripts)
return r.postscripts={sup:s,sub:i},r;{let a=!r||r.type!=="op"&&r.type!=="operatorname"?void 0:fe(this.nextToken.text);return{
type:"supsub",mode:this.mode,base:r,sup:s,sub:i,isFollowedByDelimiter:a}}}else return r}parseFunction(t,r){let s=this.fetch(),
i=s.text,a=oe[i];if(!a)return null;if(this.consume(),r&&r!=="atom"&&!a.allowedInArgument)throw new y("Got function '"+i+
"' with no arguments"+(r?" as "+r:""),s);if(this.mode==="text"&&!a.allowedInText)throw new y("Can't use function '"+i+"'\
 in text mode",s);if(this.mode==="math"&&a.allowedInMath===!1)throw new y("Can't use function '"+i+"' in math mode",s);let l=this.
prevAtomType,{args:u,optArgs:h}=this.parseArguments(i,a);return this.prevAtomType=l,this.callFunction(i,u,h,s,t)}callFunction(t,r,s,i,a){
let l={funcName:t,parser:this,token:i,breakOnTokenText:a},u=oe[t];if(u&&u.handler)return u.handler(l,r,s);throw new y(`N\
o function handler for ${t}`)}parseArguments(t,r){let s=r.numArgs+r.numOptionalArgs;if(s===0)return{args:[],optArgs:[]};
let i=[],a=[];for(let l=0;l<s;l++){let u=r.argTypes&&r.argTypes[l],h=l<r.numOptionalArgs;(r.primitive&&u==null||r.type===
"sqrt"&&l===1&&a[0]==null)&&(u="primitive");let g=this.parseGroupOfType(`argument to '${t}'`,u,h);if(h)a.push(g);else if(g!=
null)i.push(g);else throw new y("Null argument, please report this as a bug")}return{args:i,optArgs:a}}parseGroupOfType(t,r,s){
switch(r){case"size":return this.parseSizeGroup(s);case"url":return this.parseUrlGroup(s);case"math":case"text":return this.
parseArgumentGroup(s,r);case"hbox":{let i=this.parseArgumentGroup(s,"text");return i!=null?{type:"styling",mode:i.mode,body:[
i],scriptLevel:"text"}:null}case"raw":{let i=this.parseStringGroup("raw",s);return i!=null?{type:"raw",mode:"text",string:i.
text}:null}case"primitive":{if(s)throw new y("A primitive argument cannot be optional");let i=this.parseGroup(t);if(i==null)
throw new y("Expected group as "+t,this.fetch());return i}case"original":case null:case void 0:return this.parseArgumentGroup(
s);default:throw new y("Unknown group type as "+t,this.fetch())}}consumeSpaces(){for(;;){let t=this.fetch().text;if(t===
" "||t===" "||t==="︎")this.consume();else break}}parseStringGroup(t,r){let s=this.gullet.scanArgument(r);if(s==null)return null;
let i="",a;for(;(a=this.fetch()).text!=="EOF";)i+=a.text,this.consume();return this.consume(),s.text=i,s}parseRegexGroup(t,r){
let s=this.fetch(),i=s,a="",l;for(;(l=this.fetch()).text!=="EOF"&&t.test(a+l.text);)i=l,a+=i.text,this.consume();if(a===
"")throw new y("Invalid "+r+": '"+s.text+"'",s);return s.range(i,a)}parseSizeGroup(t){let r,s=!1;if(this.gullet.consumeSpaces(),
!t&&this.gullet.future().text!=="{"?r=this.parseRegexGroup(/^[-+]? *(?:$|\d+|\d+\.\d*|\.\d*) *[a-z]{0,2} *$/,"size"):r=this.
parseStringGroup("size",t),!r)return null;!t&&r.text.length===0&&(r.text="0pt",s=!0);let i=To.exec(r.text);if(!i)throw new y(
"Invalid size: '"+r.text+"'",r);let a={number:+(i[1]+i[2]),unit:i[3]};if(!Ke(a))throw new y("Invalid unit: '"+a.unit+"'",
r);return{type:"size",mode:this.mode,value:a,isBlank:s}}parseUrlGroup(t){this.gullet.lexer.setCatcode("%",13),this.gullet.
lexer.setCatcode("~",12);let r=this.parseStringGroup("url",t);if(this.gullet.lexer.setCatcode("%",14),this.gullet.lexer.
setCatcode("~",13),r==null)return null;let s=r.text.replace(/\\([#$%&~_^{}])/g,"$1");return s=r.text.replace(/{\u2044}/g,
"/"),{type:"url",mode:this.mode,url:s}}parseArgumentGroup(t,r){let s=this.gullet.scanArgument(t);if(s==null)return null;
let i=this.mode;r&&this.switchMode(r),this.gullet.beginGroup();let a=this.parseExpression(!1,"EOF");this.expect("EOF"),this.
gullet.endGroup();let l={type:"ordgroup",mode:this.mode,loc:s.loc,body:a};return r&&this.switchMode(i),l}parseGroup(t,r){
let s=this.fetch(),i=s.text;if(t==="argument to '\\left'")return this.parseSymbol();let a;if(i==="{"||i==="\\begingroup"||
i==="\\toggle"){this.consume();let l=i==="{"?"}":i==="\\begingroup"?"\\endgroup":"\\endtoggle";this.gullet.beginGroup();
let u=this.parseExpression(!1,l),h=this.fetch();this.expect(l),this.gullet.endGroup(),a={type:h.text==="\\endtoggle"?"to\
ggle":"ordgroup",mode:this.mode,loc:W.range(s,h),body:u,semisimple:i==="\\begingroup"||void 0}}else if(a=this.parseFunction(
r,t)||this.parseSymbol(),a==null&&i[0]==="\\"&&!Object.prototype.hasOwnProperty.call(Dt,i)){if(this.settings.throwOnError)
throw new y("Unsupported function name: "+i,s);a=this.formatUnsupportedCmd(i),this.consume()}return a}formLigatures(t){let r=t.
length-1;for(let s=0;s<r;++s){let i=t[s],a=i.text;a==="-"&&t[s+1].text==="-"&&(s+1<r&&t[s+2].text==="-"?(t.splice(s,3,{type:"\
textord",mode:"text",loc:W.range(i,t[s+2]),text:"---"}),r-=2):(t.splice(s,2,{type:"textord",mode:"text",loc:W.range(i,t[s+
1]),text:"--"}),r-=1)),(a==="'"||a==="`")&&t[s+1].text===a&&(t.splice(s,2,{type:"textord",mode:"text",loc:W.range(i,t[s+
1]),text:a+a}),r-=1)}}parseSymbol(){let t=this.fetch(),r=t.text;if(/^\\verb[^a-zA-Z]/.test(r)){this.consume();let a=r.slice(
5),l=a.charAt(0)==="*";if(l&&(a=a.slice(1)),a.length<2||a.charAt(0)!==a.slice(-1))throw new y(`\\verb assertion failed --\

                    please report what input caused this bug`);return a=a.slice(1,-1),{type:"verb",mode:"text",body:a,star:l}}
if(Object.prototype.hasOwnProperty.call(qt,r[0])&&this.mode==="math"&&!P[this.mode][r[0]]){if(this.settings.strict&&this.
mode==="math")throw new y(`Accented Unicode text character "${r[0]}" used in math mode`,t);r=qt[r[0]]+r.slice(1)}let s=this.
mode==="math"?Ot.exec(r):null;s&&(r=r.substring(0,s.index),r==="i"?r="ı":r==="j"&&(r="ȷ"));let i;if(P[this.mode][r]){let a=P[this.
mode][r].group;a==="bin"&&(wo.includes(this.prevAtomType)||this.prevAtomType==="")&&(a="open");let l=W.range(t),u;if(Object.
prototype.hasOwnProperty.call(jt,a)){let h=a;u={type:"atom",mode:this.mode,family:h,loc:l,text:r},(h==="rel"||h==="bin")&&
this.prevAtomType==="text"&&ko.test(l.lexer.input.slice(l.end))&&(u.needsSpacing=!0)}else{if(Ft[r]){this.consume();let h=this.
fetch().text.charCodeAt(0),g=h===65025?"mathscr":"mathcal";return(h===65024||h===65025)&&this.consume(),{type:"font",mode:"\
math",font:g,body:{type:"mathord",mode:"math",loc:l,text:Ft[r]}}}u={type:a,mode:this.mode,loc:l,text:r}}i=u}else if(r.charCodeAt(
0)>=128||Ot.exec(r)){if(this.settings.strict&&this.mode==="math")throw new y(`Unicode text character "${r[0]}" used in m\
ath mode`,t);i={type:"textord",mode:"text",loc:W.range(t),text:r}}else return null;if(this.consume(),s)for(let a=0;a<s[0].
length;a++){let l=s[0][a];if(!ot[l])throw new y(`Unknown accent ' ${l}'`,t);let u=ot[l][this.mode]||ot[l].text;if(!u)throw new y(
`Accent ${l} unsupported in ${this.mode} mode`,t);i={type:"accent",mode:this.mode,loc:W.range(t),label:u,isStretchy:!1,base:i}}
return i}};var Ao=function(e,t){if(!(typeof e=="string"||e instanceof String))throw new TypeError("Temml can only parse string type\
d expression");let r,s;try{s=new Se(e,t),delete s.gullet.macros.current["\\df@tag"],r=s.parse()}catch(i){if(i.toString()===
"ParseError:  Unmatched delimiter")t.wrapDelimiterPairs=!1,s=new Se(e,t),delete s.gullet.macros.current["\\df@tag"],r=s.
parse();else throw i}if(!(r.length>0&&r[0].type&&r[0].type==="array"&&r[0].addEqnNum)&&s.gullet.macros.get("\\df@tag")){
if(!t.displayMode)throw new y("\\tag works only in display mode");s.gullet.feed("\\df@tag"),r=[{type:"tag",mode:"text",body:r,
tag:s.parse()}]}return r},Rr=Ao;var vo=["__proto__","prototype","constructor"],Mo=e=>{if(e==null||typeof e!="object")return Object.create(null);for(let t of vo)
Object.prototype.hasOwnProperty.call(e,t)&&delete e[t];return Object.setPrototypeOf(e,null)},Re=class{constructor(t){t=t||
{},this.displayMode=J(t,"displayMode",!1),this.annotate=J(t,"annotate",!1),this.leqno=J(t,"leqno",!1),this.throwOnError=
J(t,"throwOnError",!1),this.errorColor=J(t,"errorColor","#b22222"),this.macros=Mo(Object.prototype.hasOwnProperty.call(t,
"macros")?t.macros:void 0),this.wrap=J(t,"wrap","none"),this.xml=J(t,"xml",!1),this.colorIsTextColor=J(t,"colorIsTextCol\
or",!1),this.strict=J(t,"strict",!1),this.trust=J(t,"trust",!1);let r=Object.prototype.hasOwnProperty.call(t,"maxSize")?
t.maxSize:void 0;this.maxSize=r===void 0?[1/0,1/0]:Array.isArray(r)?r:[1/0,1/0],this.maxExpand=Math.max(0,J(t,"maxExpand",
1e3)),this.wrapDelimiterPairs=!0}isTrusted(t){if(t.url&&!t.protocol){let s=Pt(t.url);if(s==null)return!1;t.protocol=s}return!!(typeof this.
trust=="function"?this.trust(t):this.trust)}};var So=[2,2,3,3],It=class e{constructor(t){this.level=t.level,this.color=t.color,this.font=t.font||"",this.fontFamily=t.
fontFamily||"",this.fontSize=t.fontSize||1,this.fontWeight=t.fontWeight||"",this.fontShape=t.fontShape||"",this.maxSize=
t.maxSize}extend(t){let r={level:this.level,color:this.color,font:this.font,fontFamily:this.fontFamily,fontSize:this.fontSize,
fontWeight:this.fontWeight,fontShape:this.fontShape,maxSize:this.maxSize};for(let s in t)Object.prototype.hasOwnProperty.
call(t,s)&&(r[s]=t[s]);return new e(r)}withLevel(t){return this.extend({level:t})}incrementLevel(){return this.extend({level:Math.
min(this.level+1,3)})}inSubOrSup(){return this.extend({level:So[this.level]})}withColor(t){return this.extend({color:t})}withFont(t){
return this.extend({font:t})}withTextFontFamily(t){return this.extend({fontFamily:t,font:""})}withFontSize(t){return this.
extend({fontSize:t})}withTextFontWeight(t){return this.extend({fontWeight:t,font:""})}withTextFontShape(t){return this.extend(
{fontShape:t,font:""})}getColor(){return this.color}},Gr=It;var $r=`/* Formulas. Part of math.js, which uses it from there: the page begins without it. */

.formula {
  contain: paint;
  display: inline-block;
  max-inline-size: 100%;
  direction: ltr;
  unicode-bidi: isolate;
  overflow-wrap: normal;
}

.formula.displayed {
  display: block;
  overflow: auto hidden;
  padding-block: 0.25rem;
}

.formula math {
  font-family: math, "Cambria Math", "STIX Two Math", "Noto Sans Math", serif;
  line-height: normal;
  text-indent: 0;
}

.formula:not(.displayed) math {
  display: inline-flex;
  flex-wrap: wrap;
  align-items: baseline;
}

.formula math * {
  border-color: currentColor;
}

.formula math[display="block"] {
  font-size: 1.1em;
}

.formula mfrac > :nth-child(2),
.formula msqrt,
.formula mover > :first-child {
  math-shift: compact;
}

.formula .tml-right {
  text-align: right;
  text-align: -webkit-right;
}

.formula .tml-left {
  text-align: left;
  text-align: -webkit-left;
}

.formula mtable.tml-jot > mtr > mtd {
  padding-block: 0.7ex;
}

.formula mtable.tml-small mtd {
  padding-block: 0.35ex;
}

.formula menclose {
  display: inline-block;
  position: relative;
  padding: 0.5ex 0;
}

.formula .tml-fbox {
  padding: 3pt;
  border: 1px solid;
}

.formula .tml-overline {
  padding: 0.1em 0 0;
  border-top: 0.065em solid;
}

.formula .tml-underline {
  padding: 0 0 0.1em;
  border-bottom: 0.065em solid;
}

.formula .tml-cancel {
  display: inline-block;
  position: absolute;
  inset: 0;
  background: linear-gradient(to top left, transparent 48%, currentColor 48% 52%, transparent 52%);
}

.formula .downstrike {
  background: linear-gradient(to top right, transparent 48%, currentColor 48% 52%, transparent 52%);
}

.formula .sout {
  background: linear-gradient(to top, transparent 47%, currentColor 47% 53%, transparent 53%);
}

/* Accents over letters that lean. */
.formula .chr-sml {
  transform: translate(0.07em, 0);
}

.formula .chr-med {
  transform: translate(0.14em, 0);
}

.formula .chr-lrg {
  transform: translate(0.21em, 0);
}

.formula .tml-tilde-2 {
  transform: scale(2, 1.1);
}

.formula .tml-tilde-3 {
  transform: scale(3, 1.1);
}

.formula .tml-tilde-4 {
  transform: scale(4, 1.1);
}

.formula .tml-hat-1 {
  transform: scale(1.9, 1);
}

.formula .tml-hat-2 {
  transform: scale(3.9, 1);
}

.formula .tml-hat-3 {
  transform: scale(5.8, 1);
}

.formula .tml-hat-4 {
  transform: scale(7.8, 1);
}
`;function jr(e){let t=new CSSStyleSheet;t.replaceSync(e),document.adoptedStyleSheets.push(t)}import{language as qo}from"./app.js";var No="http://www.w3.org/1998/Math/MathML",Co=new Set("math menclose merror mfrac mi mmultiscripts mn mo mover mpadded \
mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none".split(
" ")),Eo=new Set("accent columnalign columnspan depth display displaystyle fence form height largeop linethickness lspac\
e mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowspacing rspace scriptlevel sep\
arator stretchy symmetric voffset width".split(" ")),Oo=/^(?:border|bottom|color$|display|font|height|justify|left|margin|math|padding|position|right|text|transform|width)/,
Do=100,Bo=5e3;function Ur(e){let t=0,r=(s,i)=>{if(t+=1,t>Bo||i>Do)throw new Error("too large");if(typeof s.text=="string")
return document.createTextNode(s.text);let a=Fo(s);for(let l of s.children??[])a.appendChild(r(l,i+1));return a};return r(
e,0)}function Fo({type:e,attributes:t,style:r,classes:s}){if(e===void 0)return document.createDocumentFragment();if(!Co.
has(e))throw new Error(`${e} is not supported`);let i=document.createElementNS(No,e);for(let[a,l]of Object.entries(t??{}))
Eo.has(a)&&i.setAttribute(a,String(l));for(let[a,l]of Object.entries(r??{}))Oo.test(a)&&Object.assign(i.style,{[a]:String(
l)});return s?.length&&i.setAttribute("class",s.join(" ")),i}jr($r);var Io=1e4,zo={de:"Diese Formel lässt sich nicht darstellen",en:"This formula cannot be drawn"},Hr=1e3,Po=5e4,Wr=[
50,600],Vr={displayed:0,inLine:1},Ge=new Map,Ro=200;function Ju(e,t,r){if(t.length>Io)return;let s=e.textContent??"";try{
let i=Ur(Go(t,r)());e.className=r?"formula displayed":"formula",r&&(e.tabIndex=0),e.title=s,e.replaceChildren(i)}catch(i){
let a=document.createElement("code");a.textContent=s,a.title=`${zo[qo.peek()]}: ${i instanceof Error?i.message:""}`,e.replaceChildren(
a)}}function Go(e,t){let r=`${t}${e}`,s=Ge.get(r);if(s)return s;let i;try{let a=$o(e,t);i=()=>a}catch(a){i=()=>{throw a}}
return Ge.size>=Ro&&Ge.delete(Ge.keys().next().value??""),Ge.set(r,i),i}function $o(e,t){let r=/\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![a-zA-Z])/.
test(e),s=new Re({displayMode:t,maxExpand:r?Math.min(Hr,Po/e.length):Hr,maxSize:Wr,throwOnError:!0,trust:!1,wrap:"tex"}),
i=new Gr({level:t?Vr.displayed:Vr.inLine,maxSize:Wr});return ct(Rr(e,s),e,i,s)}export{Ju as drawFormula};
