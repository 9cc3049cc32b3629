var jn=Object.create;var Pe=Object.defineProperty;var et=Object.getOwnPropertyDescriptor;var nt=Object.getOwnPropertyNames;var tt=Object.getPrototypeOf,at=Object.prototype.hasOwnProperty;var st=(e,n)=>()=>{try{return n||e((n={exports:{}}).exports,n),n.exports}catch(t){throw n=0,t}};var rt=(e,n,t,a)=>{if(n&&typeof n=="object"||typeof n=="function")for(let o of nt(n))!at.call(e,o)&&o!==t&&Pe(e,o,{get:()=>n[o],
enumerable:!(a=et(n,o))||a.enumerable});return e};var it=(e,n,t)=>(t=e!=null?jn(tt(e)):{},rt(n||!e||!e.__esModule?Pe(t,"default",{value:e,enumerable:!0}):t,e));var sn=st((da,an)=>{function Ye(e){return e instanceof Map?e.clear=e.delete=e.set=function(){throw new Error("map is rea\
d-only")}:e instanceof Set&&(e.add=e.clear=e.delete=function(){throw new Error("set is read-only")}),Object.freeze(e),Object.
getOwnPropertyNames(e).forEach(n=>{let t=e[n],a=typeof t;(a==="object"||a==="function")&&!Object.isFrozen(t)&&Ye(t)}),e}
var Ee=class{constructor(n){n.data===void 0&&(n.data={}),this.data=n.data,this.isMatchIgnored=!1}ignoreMatch(){this.isMatchIgnored=
!0}};function We(e){return e.replace(/&/g,"&amp;").replace(/</g,"&lt;").replace(/>/g,"&gt;").replace(/"/g,"&quot;").replace(
/'/g,"&#x27;")}function J(e,...n){let t=Object.create(null);for(let a in e)t[a]=e[a];return n.forEach(function(a){for(let o in a)
t[o]=a[o]}),t}var ct="</span>",$e=e=>!!e.scope,ot=(e,{prefix:n})=>{if(e.startsWith("language:"))return e.replace("langua\
ge:","language-");if(e.includes(".")){let t=e.split(".");return[`${n}${t.shift()}`,...t.map((a,o)=>`${a}${"_".repeat(o+1)}`)].
join(" ")}return`${n}${e}`},Me=class{constructor(n,t){this.buffer="",this.classPrefix=t.classPrefix,n.walk(this)}addText(n){
this.buffer+=We(n)}openNode(n){if(!$e(n))return;let t=ot(n.scope,{prefix:this.classPrefix});this.span(t)}closeNode(n){$e(
n)&&(this.buffer+=ct)}value(){return this.buffer}span(n){this.buffer+=`<span class="${n}">`}},Fe=(e={})=>{let n={children:[]};
return Object.assign(n,e),n},Ie=class e{constructor(){this.rootNode=Fe(),this.stack=[this.rootNode]}get top(){return this.
stack[this.stack.length-1]}get root(){return this.rootNode}add(n){this.top.children.push(n)}openNode(n){let t=Fe({scope:n});
this.add(t),this.stack.push(t)}closeNode(){if(this.stack.length>1)return this.stack.pop()}closeAllNodes(){for(;this.closeNode();)
;}toJSON(){return JSON.stringify(this.rootNode,null,4)}walk(n){return this.constructor._walk(n,this.rootNode)}static _walk(n,t){
return typeof t=="string"?n.addText(t):t.children&&(n.openNode(t),t.children.forEach(a=>this._walk(n,a)),n.closeNode(t)),
n}static _collapse(n){typeof n!="string"&&n.children&&(n.children.every(t=>typeof t=="string")?n.children=[n.children.join(
"")]:n.children.forEach(t=>{e._collapse(t)}))}},we=class extends Ie{constructor(n){super(),this.options=n}addText(n){n!==
""&&this.add(n)}startScope(n){this.openNode(n)}endScope(){this.closeNode()}__addSublanguage(n,t){let a=n.root;t&&(a.scope=
`language:${t}`),this.add(a)}toHTML(){return new Me(this,this.options).value()}finalize(){return this.closeAllNodes(),!0}};
function ce(e){return e?typeof e=="string"?e:e.source:null}function Ze(e){return ne("(?=",e,")")}function lt(e){return ne(
"(?:",e,")*")}function ut(e){return ne("(?:",e,")?")}function ne(...e){return e.map(t=>ce(t)).join("")}function dt(e){let n=e[e.
length-1];return typeof n=="object"&&n.constructor===Object?(e.splice(e.length-1,1),n):{}}function pe(...e){return"("+(dt(
e).capture?"":"?:")+e.map(a=>ce(a)).join("|")+")"}function qe(e){return new RegExp(e.toString()+"|").exec("").length-1}function gt(e,n){
let t=e&&e.exec(n);return t&&t.index===0}var _t=new RegExp(pe(/\[(?:[^\\\]]|\\.)*\]/,/\(\?<(?![=!])[^>]+>/,/\(\?'[^']+'/,
/\(\??/,/\\([1-9][0-9]*)/,/\\./));function Ce(e,{joinWith:n}){let t=0;return e.map(a=>{t+=1;let o=t,g=ce(a),r="";for(;g.
length>0;){let s=_t.exec(g);if(!s){r+=g;break}r+=g.substring(0,s.index),g=g.substring(s.index+s[0].length),s[0][0]==="\\"&&
s[1]?r+="\\"+String(Number(s[1])+o):(r+=s[0],(s[0]==="("||/^\(\?[<']/.test(s[0]))&&t++)}return r}).map(a=>`(${a})`).join(
n)}var Et=/\b\B/,Xe="[a-zA-Z]\\w*",xe="[a-zA-Z_]\\w*",Qe="\\b\\d+(\\.\\d+)?",Ve="(-?)(\\b0[xX][a-fA-F0-9]+|(\\b\\d+(\\.\\d*)?\
|\\.\\d+)([eE][-+]?\\d+)?)",Je="\\b(0b[01]+)",bt="!|!=|!==|%|%=|&|&&|&=|\\*|\\*=|\\+|\\+=|,|-|-=|/=|/|:|;|<<|<<=|<=|<|===|==\
|=|>>>=|>>=|>=|>>>|>>|>|\\?|\\[|\\{|\\(|\\^|\\^=|\\||\\|=|\\|\\||~",pt=(e={})=>{let n=/^#![ ]*\//;return e.binary&&(e.begin=
ne(n,/.*\b/,e.binary,/\b.*/)),J({scope:"meta",begin:n,end:/$/,relevance:0,"on:begin":(t,a)=>{t.index!==0&&a.ignoreMatch()}},
e)},oe={begin:"\\\\[\\s\\S]",relevance:0},ft={scope:"string",begin:"'",end:"'",illegal:"\\n",contains:[oe]},mt={scope:"s\
tring",begin:'"',end:'"',illegal:"\\n",contains:[oe]},Nt={begin:/\b(a|an|the|are|I'm|isn't|don't|doesn't|won't|but|just|should|pretty|simply|enough|gonna|going|wtf|so|such|will|you|your|they|like|more)\b/},
fe=function(e,n,t={}){let a=J({scope:"comment",begin:e,end:n,contains:[]},t);a.contains.push({scope:"doctag",begin:"[ ]*\
(?=(TODO|FIXME|NOTE|BUG|OPTIMIZE|HACK|XXX):)",end:/(TODO|FIXME|NOTE|BUG|OPTIMIZE|HACK|XXX):/,excludeBegin:!0,relevance:0});
let o=pe("I","a","is","so","us","to","at","if","in","it","on",/[A-Za-z]+['](d|ve|re|ll|t|s|n)/,/[A-Za-z]+[-][a-z]+/,/[A-Za-z][a-z]{2,}/);
return a.contains.push({begin:ne(/[ ]+/,"(",o,/[.]?[:]?([.][ ]|[ ])/,"){3}")}),a},Tt=fe("//","$"),ht=fe("/\\*","\\*/"),Ot=fe(
"#","$"),St={scope:"number",begin:Qe,relevance:0},Rt={scope:"number",begin:Ve,relevance:0},At={scope:"number",begin:Je,relevance:0},
yt={scope:"regexp",begin:/\/(?=[^/\n]*\/)/,end:/\/[gimuy]*/,contains:[oe,{begin:/\[/,end:/\]/,relevance:0,contains:[oe]}]},
Mt={scope:"title",begin:Xe,relevance:0},It={scope:"title",begin:xe,relevance:0},wt={begin:"\\.\\s*"+xe,relevance:0},vt=function(e){
return Object.assign(e,{"on:begin":(n,t)=>{t.data._beginMatch=n[1]},"on:end":(n,t)=>{t.data._beginMatch!==n[1]&&t.ignoreMatch()}})},
_e=Object.freeze({__proto__:null,APOS_STRING_MODE:ft,BACKSLASH_ESCAPE:oe,BINARY_NUMBER_MODE:At,BINARY_NUMBER_RE:Je,COMMENT:fe,
C_BLOCK_COMMENT_MODE:ht,C_LINE_COMMENT_MODE:Tt,C_NUMBER_MODE:Rt,C_NUMBER_RE:Ve,END_SAME_AS_BEGIN:vt,HASH_COMMENT_MODE:Ot,
IDENT_RE:Xe,MATCH_NOTHING_RE:Et,METHOD_GUARD:wt,NUMBER_MODE:St,NUMBER_RE:Qe,PHRASAL_WORDS_MODE:Nt,QUOTE_STRING_MODE:mt,REGEXP_MODE:yt,
RE_STARTERS_RE:bt,SHEBANG:pt,TITLE_MODE:Mt,UNDERSCORE_IDENT_RE:xe,UNDERSCORE_TITLE_MODE:It});function Ct(e,n){e.input[e.
index-1]==="."&&n.ignoreMatch()}function xt(e,n){e.className!==void 0&&(e.scope=e.className,delete e.className)}function Lt(e,n){
n&&e.beginKeywords&&(e.begin="\\b("+e.beginKeywords.split(" ").join("|")+")(?!\\.)(?=\\b|\\s)",e.__beforeBegin=Ct,e.keywords=
e.keywords||e.beginKeywords,delete e.beginKeywords,e.relevance===void 0&&(e.relevance=0))}function Dt(e,n){Array.isArray(
e.illegal)&&(e.illegal=pe(...e.illegal))}function kt(e,n){if(e.match){if(e.begin||e.end)throw new Error("begin & end are\
 not supported with match");e.begin=e.match,delete e.match}}function Bt(e,n){e.relevance===void 0&&(e.relevance=1)}var Ut=(e,n)=>{
if(!e.beforeMatch)return;if(e.starts)throw new Error("beforeMatch cannot be used with starts");let t=Object.assign({},e);
Object.keys(e).forEach(a=>{delete e[a]}),e.keywords=t.keywords,e.begin=ne(t.beforeMatch,Ze(t.begin)),e.starts={relevance:0,
contains:[Object.assign(t,{endsParent:!0})]},e.relevance=0,delete t.beforeMatch},Pt=["of","and","for","in","not","or","i\
f","then","parent","list","value"],$t="keyword";function je(e,n,t=$t){let a=Object.create(null);return typeof e=="string"?
o(t,e.split(" ")):Array.isArray(e)?o(t,e):Object.keys(e).forEach(function(g){Object.assign(a,je(e[g],n,g))}),a;function o(g,r){
n&&(r=r.map(s=>s.toLowerCase())),r.forEach(function(s){let c=s.split("|");a[c[0]]=[g,Ft(c[0],c[1])]})}}function Ft(e,n){
return n?Number(n):Kt(e)?0:1}function Kt(e){return Pt.includes(e.toLowerCase())}var Ke={},ee=e=>{console.error(e)},Ge=(e,...n)=>{
console.log(`WARN: ${e}`,...n)},te=(e,n)=>{Ke[`${e}/${n}`]||(console.log(`Deprecated as of ${e}. ${n}`),Ke[`${e}/${n}`]=
!0)},be=new Error;function en(e,n,{key:t}){let a=0,o=e[t],g={},r={};for(let s=1;s<=n.length;s++)r[s+a]=o[s],g[s+a]=!0,a+=
qe(n[s-1]);e[t]=r,e[t]._emit=g,e[t]._multi=!0}function Gt(e){if(Array.isArray(e.begin)){if(e.skip||e.excludeBegin||e.returnBegin)
throw ee("skip, excludeBegin, returnBegin not compatible with beginScope: {}"),be;if(typeof e.beginScope!="object"||e.beginScope===
null)throw ee("beginScope must be object"),be;en(e,e.begin,{key:"beginScope"}),e.begin=Ce(e.begin,{joinWith:""})}}function Ht(e){
if(Array.isArray(e.end)){if(e.skip||e.excludeEnd||e.returnEnd)throw ee("skip, excludeEnd, returnEnd not compatible with \
endScope: {}"),be;if(typeof e.endScope!="object"||e.endScope===null)throw ee("endScope must be object"),be;en(e,e.end,{key:"\
endScope"}),e.end=Ce(e.end,{joinWith:""})}}function zt(e){e.scope&&typeof e.scope=="object"&&e.scope!==null&&(e.beginScope=
e.scope,delete e.scope)}function Yt(e){zt(e),typeof e.beginScope=="string"&&(e.beginScope={_wrap:e.beginScope}),typeof e.
endScope=="string"&&(e.endScope={_wrap:e.endScope}),Gt(e),Ht(e)}function Wt(e){function n(r,s){return new RegExp(ce(r),"\
m"+(e.case_insensitive?"i":"")+(e.unicodeRegex?"u":"")+(s?"g":""))}class t{constructor(){this.matchIndexes={},this.regexes=
[],this.matchAt=1,this.position=0}addRule(s,c){c.position=this.position++,this.matchIndexes[this.matchAt]=c,this.regexes.
push([c,s]),this.matchAt+=qe(s)+1}compile(){this.regexes.length===0&&(this.exec=()=>null);let s=this.regexes.map(c=>c[1]);
this.matcherRe=n(Ce(s,{joinWith:"|"}),!0),this.lastIndex=0}exec(s){this.matcherRe.lastIndex=this.lastIndex;let c=this.matcherRe.
exec(s);if(!c)return null;let l=c.findIndex((f,p)=>p>0&&f!==void 0),d=this.matchIndexes[l];return c.splice(0,l),Object.assign(
c,d)}}class a{constructor(){this.rules=[],this.multiRegexes=[],this.count=0,this.lastIndex=0,this.regexIndex=0}getMatcher(s){
if(this.multiRegexes[s])return this.multiRegexes[s];let c=new t;return this.rules.slice(s).forEach(([l,d])=>c.addRule(l,
d)),c.compile(),this.multiRegexes[s]=c,c}resumingScanAtSamePosition(){return this.regexIndex!==0}considerAll(){this.regexIndex=
0}addRule(s,c){this.rules.push([s,c]),c.type==="begin"&&this.count++}exec(s){let c=this.getMatcher(this.regexIndex);c.lastIndex=
this.lastIndex;let l=c.exec(s);if(this.resumingScanAtSamePosition()&&!(l&&l.index===this.lastIndex)){let d=this.getMatcher(
0);d.lastIndex=this.lastIndex+1,l=d.exec(s)}return l&&(this.regexIndex+=l.position+1,this.regexIndex===this.count&&this.
considerAll()),l}}function o(r){let s=new a;return r.contains.forEach(c=>s.addRule(c.begin,{rule:c,type:"begin"})),r.terminatorEnd&&
s.addRule(r.terminatorEnd,{type:"end"}),r.illegal&&s.addRule(r.illegal,{type:"illegal"}),s}function g(r,s){let c=r;if(r.
isCompiled)return c;[xt,kt,Yt,Ut].forEach(d=>d(r,s)),e.compilerExtensions.forEach(d=>d(r,s)),r.__beforeBegin=null,[Lt,Dt,
Bt].forEach(d=>d(r,s)),r.isCompiled=!0;let l=null;return typeof r.keywords=="object"&&r.keywords.$pattern&&(r.keywords=Object.
assign({},r.keywords),l=r.keywords.$pattern,delete r.keywords.$pattern),l=l||/\w+/,r.keywords&&(r.keywords=je(r.keywords,
e.case_insensitive)),c.keywordPatternRe=n(l,!0),s&&(r.begin||(r.begin=/\B|\b/),c.beginRe=n(c.begin),!r.end&&!r.endsWithParent&&
(r.end=/\B|\b/),r.end&&(c.endRe=n(c.end)),c.terminatorEnd=ce(c.end)||"",r.endsWithParent&&s.terminatorEnd&&(c.terminatorEnd+=
(r.end?"|":"")+s.terminatorEnd)),r.illegal&&(c.illegalRe=n(r.illegal)),r.contains||(r.contains=[]),r.contains=[].concat(
...r.contains.map(function(d){return Zt(d==="self"?r:d)})),r.contains.forEach(function(d){g(d,c)}),r.starts&&g(r.starts,
s),c.matcher=o(c),c}if(e.compilerExtensions||(e.compilerExtensions=[]),e.contains&&e.contains.includes("self"))throw new Error(
"ERR: contains `self` is not supported at the top-level of a language.  See documentation.");return e.classNameAliases=J(
e.classNameAliases||{}),g(e)}function nn(e){return e?e.endsWithParent||nn(e.starts):!1}function Zt(e){return e.variants&&
!e.cachedVariants&&(e.cachedVariants=e.variants.map(function(n){return J(e,{variants:null},n)})),e.cachedVariants?e.cachedVariants:
nn(e)?J(e,{starts:e.starts?J(e.starts):null}):Object.isFrozen(e)?J(e):e}var qt="11.12.0",ve=class extends Error{constructor(n,t){
super(n),this.name="HTMLInjectionError",this.html=t}},ye=We,He=J,ze=Symbol("nomatch"),Xt=7,tn=function(e){let n=Object.create(
null),t=Object.create(null),a=[],o=!0,g="Could not find the language '{}', did you forget to load/include a language mod\
ule?",r={disableAutodetect:!0,name:"Plain text",contains:[]},s={ignoreUnescapedHTML:!1,throwUnescapedHTML:!1,noHighlightRe:/^(no-?highlight)$/i,
languageDetectRe:/\blang(?:uage)?-([\w-]+)\b/i,classPrefix:"hljs-",cssSelector:"pre code",languages:null,__emitter:we};function c(i){
return s.noHighlightRe.test(i)}function l(i){let E=i.className+" ";E+=i.parentNode?i.parentNode.className:"";let _=s.languageDetectRe.
exec(E);if(_){let h=x(_[1]);return h||(Ge(g.replace("{}",_[1])),Ge("Falling back to no-highlight mode for this block.",i)),
h?_[1]:"no-highlight"}return E.split(/\s+/).find(h=>c(h)||x(h))}function d(i,E,_){let h="",R="";typeof E=="object"?(h=i,
_=E.ignoreIllegals,R=E.language):(te("10.7.0","highlight(lang, code, ...args) has been deprecated."),te("10.7.0",`Please\
 use highlight(code, options) instead.
https://github.com/highlightjs/highlight.js/issues/2277`),R=i,h=E),_===void 0&&(_=!0);let k={code:h,language:R};P("befor\
e:highlight",k);let K=k.result?k.result:f(k.language,k.code,_);return K.code=k.code,P("after:highlight",K),K}function f(i,E,_,h){
let R=Object.create(null);function k(u,b){return u.keywords[b]}function K(){if(!N.keywords){F.addText(C);return}let u=0;
N.keywordPatternRe.lastIndex=0;let b=N.keywordPatternRe.exec(C),O="";for(;b;){O+=C.substring(u,b.index);let M=q.case_insensitive?
b[0].toLowerCase():b[0],G=k(N,M);if(G){let[X,Vn]=G;if(F.addText(O),O="",R[M]=(R[M]||0)+1,R[M]<=Xt&&(ge+=Vn),X.startsWith(
"_"))O+=b[0];else{let Jn=q.classNameAliases[X]||X;Z(b[0],Jn)}}else O+=b[0];u=N.keywordPatternRe.lastIndex,b=N.keywordPatternRe.
exec(C)}O+=C.substring(u),F.addText(O)}function W(){if(C==="")return;let u=null;if(typeof N.subLanguage=="string"){if(!n[N.
subLanguage]){F.addText(C);return}u=f(N.subLanguage,C,!0,Ue[N.subLanguage]),Ue[N.subLanguage]=u._top}else u=m(C,N.subLanguage.
length?N.subLanguage:null);N.relevance>0&&(ge+=u.relevance),F.__addSublanguage(u._emitter,u.language)}function H(){N.subLanguage!=
null?W():K(),C=""}function Z(u,b){u!==""&&(F.startScope(b),F.addText(u),F.endScope())}function Le(u,b){let O=1,M=b.length-
1;for(;O<=M;){if(!u._emit[O]){O++;continue}let G=q.classNameAliases[u[O]]||u[O],X=b[O];G?Z(X,G):(C=X,K(),C=""),O++}}function De(u,b){
return u.scope&&typeof u.scope=="string"&&F.openNode(q.classNameAliases[u.scope]||u.scope),u.beginScope&&(u.beginScope._wrap?
(Z(C,q.classNameAliases[u.beginScope._wrap]||u.beginScope._wrap),C=""):u.beginScope._multi&&(Le(u.beginScope,b),C="")),N=
Object.create(u,{parent:{value:N}}),N}function ke(u,b,O){let M=gt(u.endRe,O);if(M){if(u["on:end"]){let G=new Ee(u);u["on\
:end"](b,G),G.isMatchIgnored&&(M=!1)}if(M){for(;u.endsParent&&u.parent;)u=u.parent;return u}}if(u.endsWithParent)return ke(
u.parent,b,O)}function Wn(u){return N.matcher.regexIndex===0?(C+=u[0],1):(Ae=!0,0)}function Zn(u){let b=u[0],O=u.rule,M=new Ee(
O),G=[O.__beforeBegin,O["on:begin"]];for(let X of G)if(X&&(X(u,M),M.isMatchIgnored))return Wn(b);return O.skip?C+=b:(O.excludeBegin&&
(C+=b),H(),!O.returnBegin&&!O.excludeBegin&&(C=b)),De(O,u),O.returnBegin?0:b.length}function qn(u){let b=u[0],O=E.substring(
u.index),M=ke(N,u,O);if(!M)return ze;let G=N;N.endScope&&N.endScope._wrap?(H(),Z(b,N.endScope._wrap)):N.endScope&&N.endScope.
_multi?(H(),Le(N.endScope,u)):G.skip?C+=b:(G.returnEnd||G.excludeEnd||(C+=b),H(),G.excludeEnd&&(C=b));do N.scope&&F.closeNode(),
!N.skip&&!N.subLanguage&&(ge+=N.relevance),N=N.parent;while(N!==M.parent);return M.starts&&De(M.starts,u),G.returnEnd?0:
b.length}function Xn(){let u=[];for(let b=N;b!==q;b=b.parent)b.scope&&u.unshift(b.scope);u.forEach(b=>F.openNode(b))}let de={};
function Be(u,b){let O=b&&b[0];if(C+=u,O==null)return H(),0;if(de.type==="begin"&&b.type==="end"&&de.index===b.index&&O===
""){if(C+=E.slice(b.index,b.index+1),!o){let M=new Error(`0 width match regex (${i})`);throw M.languageName=i,M.badRule=
de.rule,M}return 1}if(de=b,b.type==="begin")return Zn(b);if(b.type==="illegal"&&!_){let M=new Error('Illegal lexeme "'+O+
'" for mode "'+(N.scope||"<unnamed>")+'"');throw M.mode=N,M}else if(b.type==="end"){let M=qn(b);if(M!==ze)return M}if(b.
type==="illegal"&&O==="")return b.index===E.length||(C+=`
`),1;if(Re>1e5&&Re>b.index*3)throw new Error("potential infinite loop, way more iterations than matches");return C+=O,O.
length}let q=x(i);if(!q)throw ee(g.replace("{}",i)),new Error('Unknown language: "'+i+'"');let Qn=Wt(q),Se="",N=h||Qn,Ue={},
F=new s.__emitter(s);Xn();let C="",ge=0,j=0,Re=0,Ae=!1;try{if(q.__emitTokens)q.__emitTokens(E,F);else{for(N.matcher.considerAll();;){
Re++,Ae?Ae=!1:N.matcher.considerAll(),N.matcher.lastIndex=j;let u=N.matcher.exec(E);if(!u)break;let b=E.substring(j,u.index),
O=Be(b,u);j=u.index+O}Be(E.substring(j))}return F.finalize(),Se=F.toHTML(),{language:i,value:Se,relevance:ge,illegal:!1,
_emitter:F,_top:N}}catch(u){if(u.message&&u.message.includes("Illegal"))return{language:i,value:ye(E),illegal:!0,relevance:0,
_illegalBy:{message:u.message,index:j,context:E.slice(j-100,j+100),mode:u.mode,resultSoFar:Se},_emitter:F};if(o)return{language:i,
value:ye(E),illegal:!1,relevance:0,errorRaised:u,_emitter:F,_top:N};throw u}}function p(i){let E={value:ye(i),illegal:!1,
relevance:0,_top:r,_emitter:new s.__emitter(s)};return E._emitter.addText(i),E}function m(i,E){E=E||s.languages||Object.
keys(n);let _=p(i),h=E.filter(x).filter(z).map(H=>f(H,i,!1));h.unshift(_);let R=h.sort((H,Z)=>{if(H.relevance!==Z.relevance)
return Z.relevance-H.relevance;if(H.language&&Z.language){if(x(H.language).supersetOf===Z.language)return 1;if(x(Z.language).
supersetOf===H.language)return-1}return 0}),[k,K]=R,W=k;return W.secondBest=K,W}function S(i,E,_){let h=E&&t[E]||_;i.classList.
add("hljs"),i.classList.add(`language-${h}`)}function T(i){let E=null,_=l(i);if(c(_))return;if(P("before:highlightElemen\
t",{el:i,language:_}),i.dataset.highlighted){console.log("Element previously highlighted. To highlight again, first unse\
t `dataset.highlighted`.",i);return}if(i.children.length>0&&(s.ignoreUnescapedHTML||(console.warn("One of your code bloc\
ks includes unescaped HTML. This is a potentially serious security risk."),console.warn("https://github.com/highlightjs/\
highlight.js/wiki/security"),console.warn("The element with unescaped HTML:"),console.warn(i)),s.throwUnescapedHTML))throw new ve(
"One of your code blocks includes unescaped HTML.",i.innerHTML);E=i;let h=E.textContent,R=_?d(h,{language:_,ignoreIllegals:!0}):
m(h);i.innerHTML=R.value,i.dataset.highlighted="yes",S(i,_,R.language),i.result={language:R.language,re:R.relevance,relevance:R.
relevance},R.secondBest&&(i.secondBest={language:R.secondBest.language,relevance:R.secondBest.relevance}),P("after:highl\
ightElement",{el:i,result:R,text:h})}function A(i){s=He(s,i)}let y=()=>{L(),te("10.6.0","initHighlighting() deprecated. \
 Use highlightAll() now.")};function w(){L(),te("10.6.0","initHighlightingOnLoad() deprecated.  Use highlightAll() now.")}
let U=!1;function L(){function i(){L()}if(document.readyState==="loading"){U||window.addEventListener("DOMContentLoaded",
i,!1),U=!0;return}document.querySelectorAll(s.cssSelector).forEach(T)}function I(i,E){let _=null;try{_=E(e)}catch(h){if(ee(
"Language definition for '{}' could not be registered.".replace("{}",i)),o)ee(h);else throw h;_=r}_.name||(_.name=i),n[i]=
_,_.rawDefinition=E.bind(null,e),_.aliases&&B(_.aliases,{languageName:i})}function v(i){delete n[i];for(let E of Object.
keys(t))t[E]===i&&delete t[E]}function D(){return Object.keys(n)}function x(i){return i=(i||"").toLowerCase(),n[i]||n[t[i]]}
function B(i,{languageName:E}){typeof i=="string"&&(i=[i]),i.forEach(_=>{t[_.toLowerCase()]=E})}function z(i){let E=x(i);
return E&&!E.disableAutodetect}function Y(i){i["before:highlightBlock"]&&!i["before:highlightElement"]&&(i["before:highl\
ightElement"]=E=>{i["before:highlightBlock"](Object.assign({block:E.el},E))}),i["after:highlightBlock"]&&!i["after:highl\
ightElement"]&&(i["after:highlightElement"]=E=>{i["after:highlightBlock"](Object.assign({block:E.el},E))})}function Q(i){
Y(i),a.push(i)}function V(i){let E=a.indexOf(i);E!==-1&&a.splice(E,1)}function P(i,E){let _=i;a.forEach(function(h){h[_]&&
h[_](E)})}function $(i){return te("10.7.0","highlightBlock will be removed entirely in v12.0"),te("10.7.0","Please use h\
ighlightElement now."),T(i)}Object.assign(e,{highlight:d,highlightAuto:m,highlightAll:L,highlightElement:T,highlightBlock:$,
configure:A,initHighlighting:y,initHighlightingOnLoad:w,registerLanguage:I,unregisterLanguage:v,listLanguages:D,getLanguage:x,
registerAliases:B,autoDetection:z,inherit:He,addPlugin:Q,removePlugin:V}),e.debugMode=function(){o=!1},e.safeMode=function(){
o=!0},e.versionString=qt,e.regex={concat:ne,lookahead:Ze,either:pe,optional:ut,anyNumberOfTimes:lt};for(let i in _e)typeof _e[i]==
"object"&&Ye(_e[i]);return Object.assign(e,_e),e},ae=tn({});ae.newInstance=()=>tn({});an.exports=ae;ae.HighlightJS=ae;ae.
default=ae});var rn=it(sn(),1);var cn=rn.default;var on="[A-Za-z$_][0-9A-Za-z$_]*",Qt=["as","in","of","if","for","while","finally","var","new","function","do","return","\
void","else","break","catch","instanceof","with","throw","case","default","try","switch","continue","typeof","delete","l\
et","yield","const","class","debugger","async","await","static","import","from","export","extends","using"],Vt=["true","\
false","null","undefined","NaN","Infinity"],ln=["Object","Function","Boolean","Symbol","Math","Date","Number","BigInt","\
String","RegExp","Array","Float32Array","Float64Array","Int8Array","Uint8Array","Uint8ClampedArray","Int16Array","Int32A\
rray","Uint16Array","Uint32Array","BigInt64Array","BigUint64Array","Set","Map","WeakSet","WeakMap","ArrayBuffer","Shared\
ArrayBuffer","Atomics","DataView","JSON","Promise","Generator","GeneratorFunction","AsyncFunction","Reflect","Proxy","In\
tl","WebAssembly"],un=["Error","EvalError","InternalError","RangeError","ReferenceError","SyntaxError","TypeError","URIE\
rror"],dn=["setInterval","setTimeout","clearInterval","clearTimeout","require","exports","eval","isFinite","isNaN","pars\
eFloat","parseInt","decodeURI","decodeURIComponent","encodeURI","encodeURIComponent","escape","unescape"],Jt=["arguments",
"this","super","console","window","document","localStorage","sessionStorage","module","self","global"],jt=[].concat(dn,ln,
un);function gn(e){let n=e.regex,t=(_,{after:h})=>{let R="</"+_[0].slice(1);return _.input.indexOf(R,h)!==-1},a=on,o={begin:"\
<>",end:"</>"},g=/<[A-Za-z0-9\\._:-]+\s*\/>/,r={begin:/<[A-Za-z0-9\\._:-]+/,end:/\/[A-Za-z0-9\\._:-]+>|\/>/,isTrulyOpeningTag:(_,h)=>{
let R=_[0].length+_.index,k=_.input[R];if(k==="<"||k===","){h.ignoreMatch();return}k===">"&&(t(_,{after:R})||h.ignoreMatch());
let K,W=_.input.substring(R);if(K=W.match(/^\s*=/)){h.ignoreMatch();return}if((K=W.match(/^\s+extends\s+/))&&K.index===0){
h.ignoreMatch();return}}},s={$pattern:on,keyword:Qt,literal:Vt,built_in:jt,"variable.language":Jt},c="[0-9](_?[0-9])*",l=`\
\\.(${c})`,d="0|[1-9](_?[0-9])*|0[0-7]*[89][0-9]*",f={className:"number",variants:[{begin:`(\\b(${d})((${l})|\\.)?|(${l}\
))[eE][+-]?(${c})\\b`},{begin:`\\b(${d})\\b((${l})\\b|\\.)?|(${l})\\b`},{begin:"\\b(0|[1-9](_?[0-9])*)n\\b"},{begin:"\\b0\
[xX][0-9a-fA-F](_?[0-9a-fA-F])*n?\\b"},{begin:"\\b0[bB][0-1](_?[0-1])*n?\\b"},{begin:"\\b0[oO][0-7](_?[0-7])*n?\\b"},{begin:"\
\\b0[0-7]+n?\\b"}],relevance:0},p={className:"subst",begin:"\\$\\{",end:"\\}",keywords:s,contains:[]},m={begin:".?html`",
end:"",starts:{end:"`",returnEnd:!1,contains:[e.BACKSLASH_ESCAPE,p],subLanguage:"xml"}},S={begin:".?css`",end:"",starts:{
end:"`",returnEnd:!1,contains:[e.BACKSLASH_ESCAPE,p],subLanguage:"css"}},T={begin:".?gql`",end:"",starts:{end:"`",returnEnd:!1,
contains:[e.BACKSLASH_ESCAPE,p],subLanguage:"graphql"}},A={className:"string",begin:"`",end:"`",contains:[e.BACKSLASH_ESCAPE,
p]},w={className:"comment",variants:[e.COMMENT(/\/\*\*(?!\/)/,"\\*/",{relevance:0,contains:[{begin:"(?=@[A-Za-z]+)",relevance:0,
contains:[{className:"doctag",begin:"@[A-Za-z]+"},{className:"type",begin:"\\{",end:"\\}",excludeEnd:!0,excludeBegin:!0,
relevance:0},{className:"variable",begin:a+"(?=\\s*(-)|$)",endsParent:!0,relevance:0},{begin:/(?=[^\n])\s/,relevance:0}]}]}),
e.C_BLOCK_COMMENT_MODE,e.C_LINE_COMMENT_MODE]},U=[e.APOS_STRING_MODE,e.QUOTE_STRING_MODE,m,S,T,A,{match:/\$\d+/},f];p.contains=
U.concat({begin:/\{/,end:/\}/,keywords:s,contains:["self"].concat(U)});let L=[].concat(w,p.contains),I=L.concat([{begin:/(\s*)\(/,
end:/\)/,keywords:s,contains:["self"].concat(L)}]),v={className:"params",begin:/(\s*)\(/,end:/\)/,excludeBegin:!0,excludeEnd:!0,
keywords:s,contains:I},D={variants:[{match:[/class/,/\s+/,a,/\s+/,/extends/,/\s+/,n.concat(a,"(",n.concat(/\./,a),")*")],
scope:{1:"keyword",3:"title.class",5:"keyword",7:"title.class.inherited"}},{match:[/class/,/\s+/,a],scope:{1:"keyword",3:"\
title.class"}}]},x={relevance:0,match:n.either(/\bJSON/,/\b[A-Z][a-z]+([A-Z][a-z]*|\d)*/,/\b[A-Z]{2,}([A-Z][a-z]+|\d)+([A-Z][a-z]*)*/,
/\b[A-Z]{2,}[a-z]+([A-Z][a-z]+|\d)*([A-Z][a-z]*)*/),className:"title.class",keywords:{_:[...ln,...un]}},B={label:"use_st\
rict",className:"meta",relevance:10,begin:/^\s*['"]use (strict|asm)['"]/},z={variants:[{match:[/function/,/\s+/,a,/(?=\s*\()/]},
{match:[/function/,/\s*(?=\()/]}],className:{1:"keyword",3:"title.function"},label:"func.def",contains:[v],illegal:/%/},
Y={relevance:0,match:/\b[A-Z][A-Z_0-9]+\b/,className:"variable.constant"};function Q(_){return n.concat("(?!",_.join("|"),
")")}let V={match:n.concat(/\b/,Q([...dn,"super","import","await"].map(_=>`${_}\\s*\\(`)),a,n.lookahead(/\s*\(/)),className:"\
title.function",relevance:0},P={begin:n.concat(/\./,n.lookahead(n.concat(a,/(?![0-9A-Za-z$_(])/))),end:a,excludeBegin:!0,
keywords:"prototype",className:"property",relevance:0},$={match:[/get|set/,/\s+/,a,/(?=\()/],className:{1:"keyword",3:"t\
itle.function"},contains:[{begin:/\(\)/},v]},i="(\\([^()]*(\\([^()]*(\\([^()]*\\)[^()]*)*\\)[^()]*)*\\)|"+e.UNDERSCORE_IDENT_RE+
")\\s*=>",E={match:[/const|var|let/,/\s+/,a,/\s*/,/=\s*/,/(async\s*)?/,n.lookahead(i)],keywords:"async",className:{1:"ke\
yword",3:"title.function"},contains:[v]};return{name:"JavaScript",aliases:["js","jsx","mjs","cjs"],keywords:s,exports:{PARAMS_CONTAINS:I,
CLASS_REFERENCE:x},illegal:/#(?![$_A-Za-z])/,contains:[e.SHEBANG({label:"shebang",binary:"node",relevance:5}),B,e.APOS_STRING_MODE,
e.QUOTE_STRING_MODE,m,S,T,A,w,{match:/\$\d+/},f,x,{scope:"attr",match:a+n.lookahead(":"),relevance:0},E,{begin:"("+e.RE_STARTERS_RE+
"|\\b(case|return|throw)\\b)\\s*",keywords:"return throw case",relevance:0,contains:[w,e.REGEXP_MODE,{className:"functio\
n",begin:i,returnBegin:!0,end:"\\s*=>",contains:[{className:"params",variants:[{begin:e.UNDERSCORE_IDENT_RE,relevance:0},
{className:null,begin:/\(\s*\)/,skip:!0},{begin:/(\s*)\(/,end:/\)/,excludeBegin:!0,excludeEnd:!0,keywords:s,contains:I}]}]},
{begin:/,/,relevance:0},{match:/\s+/,relevance:0},{variants:[{begin:o.begin,end:o.end},{match:g},{begin:r.begin,"on:begi\
n":r.isTrulyOpeningTag,end:r.end}],subLanguage:"xml",contains:[{begin:r.begin,end:r.end,skip:!0,contains:["self"]}]}]},z,
{beginKeywords:"while if switch catch for"},{begin:"\\b(?!function)"+e.UNDERSCORE_IDENT_RE+"\\([^()]*(\\([^()]*(\\([^()]*\\)\
[^()]*)*\\)[^()]*)*\\)\\s*\\{",returnBegin:!0,label:"func.def",contains:[v,e.inherit(e.TITLE_MODE,{begin:a,className:"ti\
tle.function"})]},{match:/\.\.\./,relevance:0},P,{match:"\\$"+a,relevance:0},{match:[/\bconstructor(?=\s*\()/],className:{
1:"title.function"},contains:[v]},V,Y,D,$,{match:/\$[(.]/}]}}var me="[A-Za-z$_][0-9A-Za-z$_]*",_n=["as","in","of","if","for","while","finally","var","new","function","do","return","\
void","else","break","catch","instanceof","with","throw","case","default","try","switch","continue","typeof","delete","l\
et","yield","const","class","debugger","async","await","static","import","from","export","extends","using"],En=["true","\
false","null","undefined","NaN","Infinity"],bn=["Object","Function","Boolean","Symbol","Math","Date","Number","BigInt","\
String","RegExp","Array","Float32Array","Float64Array","Int8Array","Uint8Array","Uint8ClampedArray","Int16Array","Int32A\
rray","Uint16Array","Uint32Array","BigInt64Array","BigUint64Array","Set","Map","WeakSet","WeakMap","ArrayBuffer","Shared\
ArrayBuffer","Atomics","DataView","JSON","Promise","Generator","GeneratorFunction","AsyncFunction","Reflect","Proxy","In\
tl","WebAssembly"],pn=["Error","EvalError","InternalError","RangeError","ReferenceError","SyntaxError","TypeError","URIE\
rror"],fn=["setInterval","setTimeout","clearInterval","clearTimeout","require","exports","eval","isFinite","isNaN","pars\
eFloat","parseInt","decodeURI","decodeURIComponent","encodeURI","encodeURIComponent","escape","unescape"],mn=["arguments",
"this","super","console","window","document","localStorage","sessionStorage","module","self","global"],Nn=[].concat(fn,bn,
pn);function ea(e){let n=e.regex,t=(_,{after:h})=>{let R="</"+_[0].slice(1);return _.input.indexOf(R,h)!==-1},a=me,o={begin:"\
<>",end:"</>"},g=/<[A-Za-z0-9\\._:-]+\s*\/>/,r={begin:/<[A-Za-z0-9\\._:-]+/,end:/\/[A-Za-z0-9\\._:-]+>|\/>/,isTrulyOpeningTag:(_,h)=>{
let R=_[0].length+_.index,k=_.input[R];if(k==="<"||k===","){h.ignoreMatch();return}k===">"&&(t(_,{after:R})||h.ignoreMatch());
let K,W=_.input.substring(R);if(K=W.match(/^\s*=/)){h.ignoreMatch();return}if((K=W.match(/^\s+extends\s+/))&&K.index===0){
h.ignoreMatch();return}}},s={$pattern:me,keyword:_n,literal:En,built_in:Nn,"variable.language":mn},c="[0-9](_?[0-9])*",l=`\
\\.(${c})`,d="0|[1-9](_?[0-9])*|0[0-7]*[89][0-9]*",f={className:"number",variants:[{begin:`(\\b(${d})((${l})|\\.)?|(${l}\
))[eE][+-]?(${c})\\b`},{begin:`\\b(${d})\\b((${l})\\b|\\.)?|(${l})\\b`},{begin:"\\b(0|[1-9](_?[0-9])*)n\\b"},{begin:"\\b0\
[xX][0-9a-fA-F](_?[0-9a-fA-F])*n?\\b"},{begin:"\\b0[bB][0-1](_?[0-1])*n?\\b"},{begin:"\\b0[oO][0-7](_?[0-7])*n?\\b"},{begin:"\
\\b0[0-7]+n?\\b"}],relevance:0},p={className:"subst",begin:"\\$\\{",end:"\\}",keywords:s,contains:[]},m={begin:".?html`",
end:"",starts:{end:"`",returnEnd:!1,contains:[e.BACKSLASH_ESCAPE,p],subLanguage:"xml"}},S={begin:".?css`",end:"",starts:{
end:"`",returnEnd:!1,contains:[e.BACKSLASH_ESCAPE,p],subLanguage:"css"}},T={begin:".?gql`",end:"",starts:{end:"`",returnEnd:!1,
contains:[e.BACKSLASH_ESCAPE,p],subLanguage:"graphql"}},A={className:"string",begin:"`",end:"`",contains:[e.BACKSLASH_ESCAPE,
p]},w={className:"comment",variants:[e.COMMENT(/\/\*\*(?!\/)/,"\\*/",{relevance:0,contains:[{begin:"(?=@[A-Za-z]+)",relevance:0,
contains:[{className:"doctag",begin:"@[A-Za-z]+"},{className:"type",begin:"\\{",end:"\\}",excludeEnd:!0,excludeBegin:!0,
relevance:0},{className:"variable",begin:a+"(?=\\s*(-)|$)",endsParent:!0,relevance:0},{begin:/(?=[^\n])\s/,relevance:0}]}]}),
e.C_BLOCK_COMMENT_MODE,e.C_LINE_COMMENT_MODE]},U=[e.APOS_STRING_MODE,e.QUOTE_STRING_MODE,m,S,T,A,{match:/\$\d+/},f];p.contains=
U.concat({begin:/\{/,end:/\}/,keywords:s,contains:["self"].concat(U)});let L=[].concat(w,p.contains),I=L.concat([{begin:/(\s*)\(/,
end:/\)/,keywords:s,contains:["self"].concat(L)}]),v={className:"params",begin:/(\s*)\(/,end:/\)/,excludeBegin:!0,excludeEnd:!0,
keywords:s,contains:I},D={variants:[{match:[/class/,/\s+/,a,/\s+/,/extends/,/\s+/,n.concat(a,"(",n.concat(/\./,a),")*")],
scope:{1:"keyword",3:"title.class",5:"keyword",7:"title.class.inherited"}},{match:[/class/,/\s+/,a],scope:{1:"keyword",3:"\
title.class"}}]},x={relevance:0,match:n.either(/\bJSON/,/\b[A-Z][a-z]+([A-Z][a-z]*|\d)*/,/\b[A-Z]{2,}([A-Z][a-z]+|\d)+([A-Z][a-z]*)*/,
/\b[A-Z]{2,}[a-z]+([A-Z][a-z]+|\d)*([A-Z][a-z]*)*/),className:"title.class",keywords:{_:[...bn,...pn]}},B={label:"use_st\
rict",className:"meta",relevance:10,begin:/^\s*['"]use (strict|asm)['"]/},z={variants:[{match:[/function/,/\s+/,a,/(?=\s*\()/]},
{match:[/function/,/\s*(?=\()/]}],className:{1:"keyword",3:"title.function"},label:"func.def",contains:[v],illegal:/%/},
Y={relevance:0,match:/\b[A-Z][A-Z_0-9]+\b/,className:"variable.constant"};function Q(_){return n.concat("(?!",_.join("|"),
")")}let V={match:n.concat(/\b/,Q([...fn,"super","import","await"].map(_=>`${_}\\s*\\(`)),a,n.lookahead(/\s*\(/)),className:"\
title.function",relevance:0},P={begin:n.concat(/\./,n.lookahead(n.concat(a,/(?![0-9A-Za-z$_(])/))),end:a,excludeBegin:!0,
keywords:"prototype",className:"property",relevance:0},$={match:[/get|set/,/\s+/,a,/(?=\()/],className:{1:"keyword",3:"t\
itle.function"},contains:[{begin:/\(\)/},v]},i="(\\([^()]*(\\([^()]*(\\([^()]*\\)[^()]*)*\\)[^()]*)*\\)|"+e.UNDERSCORE_IDENT_RE+
")\\s*=>",E={match:[/const|var|let/,/\s+/,a,/\s*/,/=\s*/,/(async\s*)?/,n.lookahead(i)],keywords:"async",className:{1:"ke\
yword",3:"title.function"},contains:[v]};return{name:"JavaScript",aliases:["js","jsx","mjs","cjs"],keywords:s,exports:{PARAMS_CONTAINS:I,
CLASS_REFERENCE:x},illegal:/#(?![$_A-Za-z])/,contains:[e.SHEBANG({label:"shebang",binary:"node",relevance:5}),B,e.APOS_STRING_MODE,
e.QUOTE_STRING_MODE,m,S,T,A,w,{match:/\$\d+/},f,x,{scope:"attr",match:a+n.lookahead(":"),relevance:0},E,{begin:"("+e.RE_STARTERS_RE+
"|\\b(case|return|throw)\\b)\\s*",keywords:"return throw case",relevance:0,contains:[w,e.REGEXP_MODE,{className:"functio\
n",begin:i,returnBegin:!0,end:"\\s*=>",contains:[{className:"params",variants:[{begin:e.UNDERSCORE_IDENT_RE,relevance:0},
{className:null,begin:/\(\s*\)/,skip:!0},{begin:/(\s*)\(/,end:/\)/,excludeBegin:!0,excludeEnd:!0,keywords:s,contains:I}]}]},
{begin:/,/,relevance:0},{match:/\s+/,relevance:0},{variants:[{begin:o.begin,end:o.end},{match:g},{begin:r.begin,"on:begi\
n":r.isTrulyOpeningTag,end:r.end}],subLanguage:"xml",contains:[{begin:r.begin,end:r.end,skip:!0,contains:["self"]}]}]},z,
{beginKeywords:"while if switch catch for"},{begin:"\\b(?!function)"+e.UNDERSCORE_IDENT_RE+"\\([^()]*(\\([^()]*(\\([^()]*\\)\
[^()]*)*\\)[^()]*)*\\)\\s*\\{",returnBegin:!0,label:"func.def",contains:[v,e.inherit(e.TITLE_MODE,{begin:a,className:"ti\
tle.function"})]},{match:/\.\.\./,relevance:0},P,{match:"\\$"+a,relevance:0},{match:[/\bconstructor(?=\s*\()/],className:{
1:"title.function"},contains:[v]},V,Y,D,$,{match:/\$[(.]/}]}}function Tn(e){let n=e.regex,t=ea(e),a=me,o=["any","void","\
number","boolean","string","object","never","symbol","bigint","unknown"],g={begin:[/namespace/,/\s+/,e.IDENT_RE],beginScope:{
1:"keyword",3:"title.class"}},r={beginKeywords:"interface",end:/\{/,excludeEnd:!0,keywords:{keyword:"interface extends",
built_in:o},contains:[t.exports.CLASS_REFERENCE]},s={className:"meta",relevance:10,begin:/^\s*['"]use strict['"]/},c=["t\
ype","interface","public","private","protected","implements","declare","abstract","readonly","enum","override","satisfie\
s"],l={$pattern:me,keyword:_n.concat(c),literal:En,built_in:Nn.concat(o),"variable.language":mn},d={className:"meta",begin:"\
@"+a},f=(T,A,y)=>{let w=T.contains.findIndex(U=>U.label===A);if(w===-1)throw new Error("can not find mode to replace");T.
contains.splice(w,1,y)};Object.assign(t.keywords,l),t.exports.PARAMS_CONTAINS.push(d);let p=t.contains.find(T=>T.scope===
"attr"),m=Object.assign({},p,{match:n.concat(a,n.lookahead(/\s*\?:/))});t.exports.PARAMS_CONTAINS.push([t.exports.CLASS_REFERENCE,
p,m]),t.contains=t.contains.concat([d,g,r,m]),f(t,"shebang",e.SHEBANG()),f(t,"use_strict",s);let S=t.contains.find(T=>T.
label==="func.def");return S.relevance=0,Object.assign(t,{name:"TypeScript",aliases:["ts","tsx","mts","cts"]}),t}var se="[0-9](_*[0-9])*",Ne=`\\.(${se})`,Te="[0-9a-fA-F](_*[0-9a-fA-F])*",hn={className:"number",variants:[{begin:`(\\b(${se}\
)((${Ne})|\\.)?|(${Ne}))[eE][+-]?(${se})[fFdD]?\\b`},{begin:`\\b(${se})((${Ne})[fFdD]?\\b|\\.([fFdD]\\b)?)`},{begin:`(${Ne}\
)[fFdD]?\\b`},{begin:`\\b(${se})[fFdD]\\b`},{begin:`\\b0[xX]((${Te})\\.?|(${Te})?\\.(${Te}))[pP][+-]?(${se})[fFdD]?\\b`},
{begin:"\\b(0|[1-9](_*[0-9])*)[lL]?\\b"},{begin:`\\b0[xX](${Te})[lL]?\\b`},{begin:"\\b0(_*[0-7])*[lL]?\\b"},{begin:"\\b0[\
bB][01](_*[01])*[lL]?\\b"}],relevance:0};function On(e,n,t){return t===-1?"":e.replace(n,a=>On(e,n,t-1))}function Sn(e){
let n=e.regex,t="[À-ʸa-zA-Z_$][À-ʸa-zA-Z_$0-9]*",a="(?:(?:\\s*\\[\\s*])+)?",o=t+"<@@@>"+a,r="(?:"+("\\?(?:\\s+(?:exten\
ds|super)\\s+"+o+")?")+"|"+o+")",s=On("(?:\\s*<\\s*"+r+"(?:\\s*,\\s*"+r+")*\\s*>)?",/<@@@>/g,2),p={keyword:["synchronize\
d","abstract","private","var","static","if","const ","for","while","strictfp","finally","protected","import","native","f\
inal","void","enum","else","break","transient","catch","instanceof","volatile","case","assert","package","default","publ\
ic","try","switch","continue","throws","protected","public","private","module","requires","exports","do","sealed","yield",
"permits","goto","when"],literal:["false","true","null"],type:["char","boolean","long","float","int","byte","short","dou\
ble"],built_in:["super","this"]},m={className:"meta",begin:"@"+t,contains:[{begin:/\(/,end:/\)/,contains:["self"]}]},S={
className:"params",begin:/\(/,end:/\)/,keywords:p,relevance:0,contains:[e.C_BLOCK_COMMENT_MODE],endsParent:!0};return{name:"\
Java",aliases:["jsp"],keywords:p,illegal:/<\/|#/,contains:[e.COMMENT("/\\*\\*","\\*/",{relevance:0,contains:[{begin:/\w+@/,
relevance:0},{className:"doctag",begin:"@[A-Za-z]+"}]}),{begin:/import java\.[a-z]+\./,keywords:"import",relevance:2},e.
C_LINE_COMMENT_MODE,e.C_BLOCK_COMMENT_MODE,{begin:/"""/,end:/"""/,className:"string",contains:[e.BACKSLASH_ESCAPE]},e.APOS_STRING_MODE,
e.QUOTE_STRING_MODE,{match:[/\b(?:class|interface|enum|extends|implements|new)/,/\s+/,t],className:{1:"keyword",3:"title\
.class"}},{match:/non-sealed/,scope:"keyword"},{beginKeywords:"new throw return else yield assert",relevance:0},{begin:[
t,n.concat(s,a,/\s+/),t,a,/\s*/,/=(?!=)/],className:{1:"type",3:"variable",6:"operator"}},{begin:[/record/,/\s+/,t],className:{
1:"keyword",3:"title.class"},contains:[S,e.C_LINE_COMMENT_MODE,e.C_BLOCK_COMMENT_MODE]},{begin:[t,n.concat(s,a,/\s+/),t,
/\s*(?=\()/],className:{1:"type",3:"title.function"},keywords:p,contains:[{className:"params",begin:/\(/,end:/\)/,keywords:p,
relevance:0,contains:[m,e.APOS_STRING_MODE,e.QUOTE_STRING_MODE,hn,e.C_BLOCK_COMMENT_MODE]},e.C_LINE_COMMENT_MODE,e.C_BLOCK_COMMENT_MODE]},
hn,m]}}function Rn(e){let n=["bool","byte","char","decimal","delegate","double","dynamic","enum","float","int","long","nint","n\
uint","object","sbyte","short","string","ulong","uint","ushort"],t=["public","private","protected","static","internal","\
protected","abstract","async","extern","override","unsafe","virtual","new","sealed","partial"],a=["default","false","nul\
l","true"],o=["abstract","as","base","break","case","catch","class","const","continue","do","else","event","explicit","e\
xtern","finally","fixed","for","foreach","goto","if","implicit","in","interface","internal","is","lock","namespace","new",
"operator","out","override","params","private","protected","public","readonly","record","ref","return","scoped","sealed",
"sizeof","stackalloc","static","struct","switch","this","throw","try","typeof","unchecked","unsafe","using","virtual","v\
oid","volatile","while"],g=["add","alias","and","ascending","args","async","await","by","descending","dynamic","equals",
"file","from","get","global","group","init","into","join","let","nameof","not","notnull","on","or","orderby","partial","\
record","remove","required","scoped","select","set","unmanaged","value|0","var","when","where","with","yield"],r={keyword:o.
concat(g),built_in:n,literal:a},s=e.inherit(e.TITLE_MODE,{begin:"[a-zA-Z](\\.?\\w)*"}),c="\\d(_*\\d)*",l="([uU][lL]?|[lL\
][uU]?)?",f={className:"number",variants:[{begin:"\\b0[bB]_*[01](_*[01])*"+l},{begin:"(-?)\\b0[xX]_*[a-fA-F0-9](_*[a-fA-F\
0-9])*"+l},{begin:"(-?)(\\b"+c+"(\\.("+c+")?)?|\\."+c+")([eE][-+]?"+c+")?"+"([fFdDmM]|[uU][lL]?|[lL][uU]?)?"}],relevance:0},
p={className:"string",begin:/"""("*)(?!")(.|\n)*?"""\1/,relevance:1},m={className:"string",begin:'@"',end:'"',contains:[
{begin:'""'}]},S=e.inherit(m,{illegal:/\n/}),T={className:"subst",begin:/\{/,end:/\}/,keywords:r},A=e.inherit(T,{illegal:/\n/}),
y={className:"string",begin:/\$"/,end:'"',illegal:/\n/,contains:[{begin:/\{\{/},{begin:/\}\}/},e.BACKSLASH_ESCAPE,A]},w={
className:"string",begin:/\$@"/,end:'"',contains:[{begin:/\{\{/},{begin:/\}\}/},{begin:'""'},T]},U=e.inherit(w,{illegal:/\n/,
contains:[{begin:/\{\{/},{begin:/\}\}/},{begin:'""'},A]});T.contains=[w,y,m,e.APOS_STRING_MODE,e.QUOTE_STRING_MODE,f,e.C_BLOCK_COMMENT_MODE],
A.contains=[U,y,S,e.APOS_STRING_MODE,e.QUOTE_STRING_MODE,f,e.inherit(e.C_BLOCK_COMMENT_MODE,{illegal:/\n/})];let L={variants:[
p,w,y,m,e.APOS_STRING_MODE,e.QUOTE_STRING_MODE]},I={begin:"<",end:">",contains:[{beginKeywords:"in out"},s]},v=e.IDENT_RE+
"(<"+e.IDENT_RE+"(\\s*,\\s*"+e.IDENT_RE+")*>)?(\\[\\])?",D={begin:"@"+e.IDENT_RE,relevance:0};return{name:"C#",aliases:[
"cs","c#"],keywords:r,illegal:/::/,contains:[e.COMMENT("///","$",{returnBegin:!0,contains:[{className:"doctag",variants:[
{begin:"///",relevance:0},{begin:"<!--|-->"},{begin:"</?",end:">"}]}]}),e.C_LINE_COMMENT_MODE,e.C_BLOCK_COMMENT_MODE,{className:"\
meta",begin:"#",end:"$",keywords:{keyword:"if else elif endif define undef warning error line region endregion pragma ch\
ecksum"}},L,f,{beginKeywords:"class interface",relevance:0,end:/[{;=]/,illegal:/[^\s:,]/,contains:[{beginKeywords:"where\
 class"},s,I,e.C_LINE_COMMENT_MODE,e.C_BLOCK_COMMENT_MODE]},{beginKeywords:"namespace",relevance:0,end:/[{;=]/,illegal:/[^\s:]/,
contains:[s,e.C_LINE_COMMENT_MODE,e.C_BLOCK_COMMENT_MODE]},{beginKeywords:"record",relevance:0,end:/[{;=]/,illegal:/[^\s:]/,
contains:[s,I,e.C_LINE_COMMENT_MODE,e.C_BLOCK_COMMENT_MODE]},{className:"meta",begin:"^\\s*\\[(?=[\\w])",excludeBegin:!0,
end:"\\]",excludeEnd:!0,contains:[{className:"string",begin:/"/,end:/"/}]},{beginKeywords:"new return throw await else",
relevance:0},{className:"function",begin:"("+v+"\\s+)+"+e.IDENT_RE+"\\s*(<[^=]+>\\s*)?\\(",returnBegin:!0,end:/\s*[{;=]/,
excludeEnd:!0,keywords:r,contains:[{beginKeywords:t.join(" "),relevance:0},{begin:e.IDENT_RE+"\\s*(<[^=]+>\\s*)?\\(",returnBegin:!0,
contains:[e.TITLE_MODE,I],relevance:0},{match:/\(\)/},{className:"params",begin:/\(/,end:/\)/,excludeBegin:!0,excludeEnd:!0,
keywords:r,relevance:0,contains:[L,f,e.C_BLOCK_COMMENT_MODE]},e.C_LINE_COMMENT_MODE,e.C_BLOCK_COMMENT_MODE]},D]}}var re="[0-9](_*[0-9])*",he=`\\.(${re})`,Oe="[0-9a-fA-F](_*[0-9a-fA-F])*",na={className:"number",variants:[{begin:`(\\b(${re}\
)((${he})|\\.)?|(${he}))[eE][+-]?(${re})[fFdD]?\\b`},{begin:`\\b(${re})((${he})[fFdD]?\\b|\\.([fFdD]\\b)?)`},{begin:`(${he}\
)[fFdD]?\\b`},{begin:`\\b(${re})[fFdD]\\b`},{begin:`\\b0[xX]((${Oe})\\.?|(${Oe})?\\.(${Oe}))[pP][+-]?(${re})[fFdD]?\\b`},
{begin:"\\b(0|[1-9](_*[0-9])*)[lL]?\\b"},{begin:`\\b0[xX](${Oe})[lL]?\\b`},{begin:"\\b0(_*[0-7])*[lL]?\\b"},{begin:"\\b0[\
bB][01](_*[01])*[lL]?\\b"}],relevance:0};function An(e){let n={keyword:"abstract as val var vararg get set class object \
open private protected public noinline crossinline dynamic final enum if else do while for when throw try catch finally \
import package is in fun override companion reified inline lateinit init interface annotation data sealed internal infix\
 operator out by constructor super tailrec where const inner suspend typealias external expect actual",built_in:"Byte Sh\
ort Char Int Long Boolean Float Double Void Unit Nothing",literal:"true false null"},t={className:"keyword",begin:/\b(break|continue|return|this)\b/,
starts:{contains:[{className:"symbol",begin:/@\w+/}]}},a={className:"symbol",begin:e.UNDERSCORE_IDENT_RE+"@"},o={className:"\
subst",begin:/\$\{/,end:/\}/,contains:[e.C_NUMBER_MODE]},g={className:"variable",begin:"\\$"+e.UNDERSCORE_IDENT_RE},r={className:"\
string",variants:[{begin:'"""',end:'"""(?=[^"])',contains:[g,o]},{begin:"'",end:"'",illegal:/\n/,contains:[e.BACKSLASH_ESCAPE]},
{begin:'"',end:'"',illegal:/\n/,contains:[e.BACKSLASH_ESCAPE,g,o]}]};o.contains.push(r);let s={className:"meta",begin:"@\
(?:file|property|field|get|set|receiver|param|setparam|delegate)\\s*:(?:\\s*"+e.UNDERSCORE_IDENT_RE+")?"},c={className:"\
meta",begin:"@"+e.UNDERSCORE_IDENT_RE,contains:[{begin:/\(/,end:/\)/,contains:[e.inherit(r,{className:"string"}),"self"]}]},
l=na,d=e.COMMENT("/\\*","\\*/",{contains:[e.C_BLOCK_COMMENT_MODE]}),f={variants:[{className:"type",begin:e.UNDERSCORE_IDENT_RE},
{begin:/\(/,end:/\)/,contains:[]}]},p=f;return p.variants[1].contains=[f],f.variants[1].contains=[p],{name:"Kotlin",aliases:[
"kt","kts","ktm","ktx"],keywords:n,contains:[e.COMMENT("/\\*\\*","\\*/",{relevance:0,contains:[{className:"doctag",begin:"\
@[A-Za-z]+"}]}),e.C_LINE_COMMENT_MODE,d,t,a,s,c,{className:"function",beginKeywords:"fun",end:"[(]|$",returnBegin:!0,excludeEnd:!0,
keywords:n,relevance:5,contains:[{begin:e.UNDERSCORE_IDENT_RE+"\\s*\\(",returnBegin:!0,relevance:0,contains:[e.UNDERSCORE_TITLE_MODE]},
{className:"type",begin:/</,end:/>/,keywords:"reified",relevance:0},{className:"params",begin:/\(/,end:/\)/,endsParent:!0,
keywords:n,relevance:0,contains:[{begin:/:/,end:/[=,\/]/,endsWithParent:!0,contains:[f,e.C_LINE_COMMENT_MODE,d],relevance:0},
e.C_LINE_COMMENT_MODE,d,s,c,r,e.C_NUMBER_MODE]},d]},{begin:[/class|interface|trait/,/\s+/,e.UNDERSCORE_IDENT_RE],beginScope:{
3:"title.class"},keywords:"class interface trait",end:/[:\{(]|$/,excludeEnd:!0,illegal:"extends implements",contains:[{beginKeywords:"\
public protected internal private constructor"},e.UNDERSCORE_TITLE_MODE,{className:"type",begin:/</,end:/>/,excludeBegin:!0,
excludeEnd:!0,relevance:0},{className:"type",begin:/[,:]\s*/,end:/[<\(,){\s]|$/,excludeBegin:!0,returnEnd:!0},s,c]},r,{className:"\
meta",begin:"^#!/usr/bin/env",end:"$",illegal:`
`},l]}}function yn(e){let n=e.regex,t=e.COMMENT("//","$",{contains:[{begin:/\\\n/}]}),a="decltype\\(auto\\)",o="[a-zA-Z_]\\w*::",
r="(?!struct)("+a+"|"+n.optional(o)+"[a-zA-Z_]\\w*"+n.optional("<[^<>]+>")+")",s={className:"type",begin:"\\b[a-z\\d_]*_t\\\
b"},l={className:"string",variants:[{begin:'(u8?|U|L)?"',end:'"',illegal:"\\n",contains:[e.BACKSLASH_ESCAPE]},{begin:"(u\
8?|U|L)?'("+"\\\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4,8}|[0-7]{3}|\\S)"+"|.)",end:"'",illegal:"."},e.END_SAME_AS_BEGIN({begin:/(?:u8?|U|L)?R"([^()\\\s"]{0,16})\(/,
end:/\)([^()\\\s"]{0,16})"/})]},d={className:"number",variants:[{begin:"[+-]?(?:(?:\\b[0-9](?:'?[0-9])*\\.(?:[0-9](?:'?[0-\
9])*)?|\\.[0-9](?:'?[0-9])*)(?:[Ee][+-]?[0-9](?:'?[0-9])*)?|\\b[0-9](?:'?[0-9])*[Ee][+-]?[0-9](?:'?[0-9])*|\\b0[Xx](?:[0-9A\
-Fa-f](?:'?[0-9A-Fa-f])*(?:\\.(?:[0-9A-Fa-f](?:'?[0-9A-Fa-f])*)?)?|\\.[0-9A-Fa-f](?:'?[0-9A-Fa-f])*)[Pp][+-]?[0-9](?:'?[0-\
9])*)(?:[Ff](?:16|32|64|128)?|(BF|bf)16|[Ll]|)"},{begin:"[+-]?\\b(?:0[Bb][01](?:'?[01])*|0[Xx][0-9A-Fa-f](?:'?[0-9A-Fa-f]\
)*|0(?:'?[0-7])*|[1-9](?:'?[0-9])*)(?:[Uu](?:LL?|ll?)|[Uu][Zz]?|(?:LL?|ll?)[Uu]?|[Zz][Uu]|)"}],relevance:0},f={scope:"me\
ta",begin:/#\s*include\b/,end:/$/,keywords:{keyword:"include"},contains:[{begin:/\\\n/},l,{scope:"string",begin:/<.*?>/},
t,e.C_BLOCK_COMMENT_MODE]},p={className:"meta",begin:/#\s*[a-z]+\b/,end:/$/,keywords:{keyword:"if else elif endif define\
 undef warning error line pragma _Pragma ifdef ifndef include"},contains:[{begin:/\\\n/,relevance:0},e.inherit(l,{className:"\
string"}),t,e.C_BLOCK_COMMENT_MODE]},m=[f,p],S={className:"title",begin:n.optional(o)+e.IDENT_RE,relevance:0},T=n.optional(
o)+e.IDENT_RE+"\\s*\\(",A=12,y=["alignas","alignof","and","and_eq","asm","atomic_cancel","atomic_commit","atomic_noexcep\
t","auto","bitand","bitor","break","case","catch","class","co_await","co_return","co_yield","compl","concept","const_cas\
t|10","consteval","constexpr","constinit","continue","decltype","default","delete","do","dynamic_cast|10","else","enum",
"explicit","export","extern","false","final","for","friend","goto","if","import","inline","module","mutable","namespace",
"new","noexcept","not","not_eq","nullptr","operator","or","or_eq","override","private","protected","public","reflexpr","\
register","reinterpret_cast|10","requires","return","sizeof","static_assert","static_cast|10","struct","switch","synchro\
nized","template","this","thread_local","throw","transaction_safe","transaction_safe_dynamic","true","try","typedef","ty\
peid","typename","union","using","virtual","volatile","while","xor","xor_eq"],w=["bool","char","char16_t","char32_t","ch\
ar8_t","double","float","int","long","short","void","wchar_t","unsigned","signed","const","static"],U=["any","auto_ptr",
"barrier","binary_semaphore","bitset","complex","condition_variable","condition_variable_any","counting_semaphore","dequ\
e","false_type","flat_map","flat_set","future","imaginary","initializer_list","istringstream","jthread","latch","lock_gu\
ard","multimap","multiset","mutex","optional","ostringstream","packaged_task","pair","promise","priority_queue","queue",
"recursive_mutex","recursive_timed_mutex","scoped_lock","set","shared_future","shared_lock","shared_mutex","shared_timed\
_mutex","shared_ptr","stack","string_view","stringstream","timed_mutex","thread","true_type","tuple","unique_lock","uniq\
ue_ptr","unordered_map","unordered_multimap","unordered_multiset","unordered_set","variant","vector","weak_ptr","wstring",
"wstring_view"],L=["abort","abs","acos","apply","as_const","asin","atan","atan2","calloc","ceil","cerr","cin","clog","co\
s","cosh","cout","declval","endl","exchange","exit","exp","fabs","floor","fmod","forward","fprintf","fputs","free","frex\
p","fscanf","future","invoke","isalnum","isalpha","iscntrl","isdigit","isgraph","islower","isprint","ispunct","isspace",
"isupper","isxdigit","labs","launder","ldexp","log","log10","make_pair","make_shared","make_shared_for_overwrite","make_\
tuple","make_unique","malloc","memchr","memcmp","memcpy","memset","modf","move","pow","printf","putchar","puts","realloc",
"scanf","sin","sinh","snprintf","sprintf","sqrt","sscanf","std","stderr","stdin","stdout","strcat","strchr","strcmp","st\
rcpy","strcspn","strlen","strncat","strncmp","strncpy","strpbrk","strrchr","strspn","strstr","swap","tan","tanh","termin\
ate","to_underlying","tolower","toupper","vfprintf","visit","vprintf","vsprintf"],D={type:w,keyword:y,literal:["NULL","f\
alse","nullopt","nullptr","true"],built_in:["_Pragma"],_type_hints:U},x={className:"function.dispatch",relevance:0,keywords:{
_hint:L},begin:n.concat(/\b/,`(?!${y.join("|")})`,e.IDENT_RE,n.lookahead(/(<[^<>]+>|)\s*\(/))},B=[x,...m,s,t,e.C_BLOCK_COMMENT_MODE,
d,l],z={variants:[{begin:/=/,end:/;/},{begin:/\(/,end:/\)/},{beginKeywords:"new throw return else",end:/;/}],keywords:D,
contains:B.concat([{begin:/\(/,end:/\)/,keywords:D,contains:B.concat(["self"]),relevance:0}]),relevance:0},Y={className:"\
function",begin:"("+r+"[\\*&\\s]+){1,"+A+"}"+T,returnBegin:!0,end:/[{;=]/,excludeEnd:!0,keywords:D,illegal:/[^\w\s\*&:<>.]/,
contains:[{begin:a,keywords:D,relevance:0},{begin:T,returnBegin:!0,contains:[S],relevance:0},{begin:/::/,relevance:0},{begin:/:/,
endsWithParent:!0,contains:[l,d]},{relevance:0,match:/,/},{className:"params",begin:/\(/,end:/\)/,keywords:D,relevance:0,
contains:[t,e.C_BLOCK_COMMENT_MODE,l,d,s,{begin:/\(/,end:/\)/,keywords:D,relevance:0,contains:["self",t,e.C_BLOCK_COMMENT_MODE,
l,d,s]}]},s,t,e.C_BLOCK_COMMENT_MODE,...m]};return{name:"C++",aliases:["cc","c++","h++","hpp","hh","hxx","cxx"],keywords:D,
illegal:"</",classNameAliases:{"function.dispatch":"built_in"},contains:[].concat(z,Y,x,B,[...m,{begin:"\\b(deque|list|qu\
eue|priority_queue|pair|stack|vector|map|set|bitset|multiset|multimap|unordered_map|unordered_set|unordered_multiset|uno\
rdered_multimap|array|tuple|optional|variant|function|flat_map|flat_set)\\s*<(?!<)",end:">",keywords:D,contains:["self",
s]},{begin:e.IDENT_RE+"::",keywords:D},{match:[/\b(?:enum(?:\s+(?:class|struct))?|class|struct|union)/,/\s+/,/\w+/],className:{
1:"keyword",3:"title.class"}}])}}function Mn(e){let g={keyword:["break","case","chan","const","continue","default","defer","else","fallthrough","for","fu\
nc","go","goto","if","import","interface","map","package","range","return","select","struct","switch","type","var"],type:[
"bool","byte","complex64","complex128","error","float32","float64","int8","int16","int32","int64","string","uint8","uint\
16","uint32","uint64","int","uint","uintptr","rune"],literal:["true","false","iota","nil"],built_in:["append","cap","clo\
se","complex","copy","imag","len","make","new","panic","print","println","real","recover","delete"]};return{name:"Go",aliases:[
"golang"],keywords:g,illegal:"</",contains:[e.C_LINE_COMMENT_MODE,e.C_BLOCK_COMMENT_MODE,{className:"string",variants:[e.
QUOTE_STRING_MODE,e.APOS_STRING_MODE,{begin:"`",end:"`"}]},{className:"number",variants:[{match:/-?\b0[xX]\.[a-fA-F0-9](_?[a-fA-F0-9])*[pP][+-]?\d(_?\d)*i?/,
relevance:0},{match:/-?\b0[xX](_?[a-fA-F0-9])+((\.([a-fA-F0-9](_?[a-fA-F0-9])*)?)?[pP][+-]?\d(_?\d)*)?i?/,relevance:0},{
match:/-?\b0[oO](_?[0-7])*i?/,relevance:0},{match:/-?\b0[bB](_?[01])*i?/,relevance:0},{match:/-?\.\d(_?\d)*([eE][+-]?\d(_?\d)*)?i?/,
relevance:0},{match:/-?\b\d(_?\d)*(\.(\d(_?\d)*)?)?([eE][+-]?\d(_?\d)*)?i?/,relevance:0}]},{begin:/:=/},{className:"func\
tion",beginKeywords:"func",end:"\\s*(\\{|$)",excludeEnd:!0,contains:[e.TITLE_MODE,{className:"params",begin:/\(/,end:/\)/,
endsParent:!0,keywords:g,illegal:/["']/}]}]}}function In(e){let n=e.regex,t=/(r#)?/,a=n.concat(t,e.UNDERSCORE_IDENT_RE),o=n.concat(t,e.IDENT_RE),g={scope:"title.func\
tion.invoke",relevance:0,begin:n.concat(/\b/,/(?!(?:let|for|while|if|else|match)\b)/,o,n.lookahead(/\s*\(/))},r="([ui](8\
|16|32|64|128|size)|f(16|32|64|128))?",s=["abstract","as","async","await","become","box","break","const","continue","cra\
te","do","dyn","else","enum","extern","false","final","fn","for","if","impl","in","let","loop","macro","match","mod","mo\
ve","mut","override","priv","pub","raw","ref","return","self","Self","static","struct","super","trait","true","try","typ\
e","typeof","union","unsafe","unsized","use","virtual","where","while","yield"],c=["true","false","Some","None","Ok","Er\
r"],l=["drop ","Copy","Send","Sized","Sync","Drop","Fn","FnMut","FnOnce","ToOwned","Clone","Debug","PartialEq","PartialO\
rd","Eq","Ord","AsRef","AsMut","Into","From","Default","Iterator","Extend","IntoIterator","DoubleEndedIterator","ExactSi\
zeIterator","SliceConcatExt","ToString","assert!","assert_eq!","bitflags!","bytes!","cfg!","col!","concat!","concat_iden\
ts!","debug_assert!","debug_assert_eq!","env!","eprintln!","panic!","file!","format!","format_args!","include_bytes!","i\
nclude_str!","line!","local_data_key!","module_path!","option_env!","print!","println!","select!","stringify!","try!","u\
nimplemented!","unreachable!","vec!","write!","writeln!","macro_rules!","assert_ne!","debug_assert_ne!"],d=["i8","i16","\
i32","i64","i128","isize","u8","u16","u32","u64","u128","usize","f16","f32","f64","f128","str","char","bool","Box","Opti\
on","Result","String","Vec"];return{name:"Rust",aliases:["rs"],keywords:{$pattern:e.IDENT_RE+"!?",type:d,keyword:s,literal:c,
built_in:l},illegal:"</",contains:[e.C_LINE_COMMENT_MODE,e.COMMENT("/\\*","\\*/",{contains:["self"]}),e.inherit(e.QUOTE_STRING_MODE,
{begin:/b?"/,illegal:null}),{scope:"symbol",begin:/'[a-zA-Z_][a-zA-Z0-9_]*(?!')/},{scope:"string",variants:[{begin:/b?r(#*)"(.|\n)*?"\1(?!#)/},
{begin:/b?'/,end:/'/,contains:[{scope:"char.escape",match:/\\('|"|\\|\w|x\w{2}|u\w{4}|U\w{8})/}]}]},{scope:"number",variants:[
{begin:"\\b0b([01_]+)"+r},{begin:"\\b0o([0-7_]+)"+r},{begin:"\\b0x([A-Fa-f0-9_]+)"+r},{begin:"\\b(\\d[\\d_]*(\\.[0-9_]+)?([e\
E][+-]?[0-9_]+)?)"+r}],relevance:0},{begin:[/\bsafe/,/\s+/,/extern/],scope:{1:"keyword",3:"keyword"}},{begin:[/fn/,/\s+/,
a],scope:{1:"keyword",3:"title.function"}},{scope:"meta",begin:"#!?\\[",end:"\\]",contains:[{scope:"string",begin:/"/,end:/"/,
contains:[e.BACKSLASH_ESCAPE]}]},{begin:[/let/,/\s+/,/(?:mut\s+)?/,a],scope:{1:"keyword",3:"keyword",4:"variable"}},{begin:[
/for/,/\s+/,a,/\s+/,/in/],scope:{1:"keyword",3:"variable",5:"keyword"}},{begin:[/type/,/\s+/,a],scope:{1:"keyword",3:"ti\
tle.class"}},{begin:[/(?:trait|enum|struct|union|impl|for)/,/\s+/,a],scope:{1:"keyword",3:"title.class"}},{begin:e.IDENT_RE+
"::",keywords:{keyword:"Self",built_in:l,type:d}},{scope:"punctuation",begin:"->"},g]}}function wn(e){let n=e.regex,t=new RegExp("[\\p{XID_Start}_]\\p{XID_Continue}*","u"),a=["and","as","assert","async","awa\
it","break","case","class","continue","def","del","elif","else","except","finally","for","from","global","if","import","\
in","is","lambda","lazy","match","nonlocal|10","not","or","pass","raise","return","try","while","with","yield"],s={$pattern:/[A-Za-z]\w+|__\w+__/,
keyword:a,built_in:["__import__","abs","aiter","all","anext","any","ascii","bin","bool","breakpoint","bytearray","bytes",
"callable","chr","classmethod","compile","complex","delattr","dict","dir","divmod","enumerate","eval","exec","filter","f\
loat","format","frozendict","frozenset","getattr","globals","hasattr","hash","help","hex","id","input","int","isinstance",
"issubclass","iter","len","list","locals","map","max","memoryview","min","next","object","oct","open","ord","pow","print",
"property","range","repr","reversed","round","sentinel","set","setattr","slice","sorted","staticmethod","str","sum","sup\
er","tuple","type","vars","zip"],literal:["__debug__","Ellipsis","False","None","NotImplemented","True"],type:["Any","Ca\
llable","Coroutine","Dict","List","Literal","Generic","Optional","Sequence","Set","Tuple","Type","Union"]},c={className:"\
meta",begin:/^(>>>|\.\.\.) /},l={className:"subst",begin:/\{/,end:/\}/,keywords:s,illegal:/#/},d={begin:/\{\{/,relevance:0},
f={className:"string",contains:[e.BACKSLASH_ESCAPE],variants:[{begin:/([uU]|[bB]|[rR]|[bB][rR]|[rR][bB])?'''/,end:/'''/,
contains:[e.BACKSLASH_ESCAPE,c],relevance:10},{begin:/([uU]|[bB]|[rR]|[bB][rR]|[rR][bB])?"""/,end:/"""/,contains:[e.BACKSLASH_ESCAPE,
c],relevance:10},{begin:/([fFtT][rR]|[rR][fFtT]|[fFtT])'''/,end:/'''/,contains:[e.BACKSLASH_ESCAPE,c,d,l]},{begin:/([fFtT][rR]|[rR][fFtT]|[fFtT])"""/,
end:/"""/,contains:[e.BACKSLASH_ESCAPE,c,d,l]},{begin:/([uU]|[rR])'/,end:/'/,relevance:10},{begin:/([uU]|[rR])"/,end:/"/,
relevance:10},{begin:/([bB]|[bB][rR]|[rR][bB])'/,end:/'/},{begin:/([bB]|[bB][rR]|[rR][bB])"/,end:/"/},{begin:/([fFtT][rR]|[rR][fFtT]|[fFtT])'/,
end:/'/,contains:[e.BACKSLASH_ESCAPE,d,l]},{begin:/([fFtT][rR]|[rR][fFtT]|[fFtT])"/,end:/"/,contains:[e.BACKSLASH_ESCAPE,
d,l]},e.APOS_STRING_MODE,e.QUOTE_STRING_MODE]},p="[0-9](_?[0-9])*",m=`(\\b(${p}))?\\.(${p})|\\b(${p})\\.`,S=`\\b|${a.join(
"|")}`,T={className:"number",relevance:0,variants:[{begin:`(\\b(${p})|(${m}))[eE][+-]?(${p})[jJ]?(?=${S})`},{begin:`(${m}\
)[jJ]?`},{begin:`\\b([1-9](_?[0-9])*|0+(_?0)*)[lLjJ]?(?=${S})`},{begin:`\\b0[bB](_?[01])+[lL]?(?=${S})`},{begin:`\\b0[oO]\
(_?[0-7])+[lL]?(?=${S})`},{begin:`\\b0[xX](_?[0-9a-fA-F])+[lL]?(?=${S})`},{begin:`\\b(${p})[jJ](?=${S})`}]},A={className:"\
comment",begin:n.lookahead(/# type:/),end:/$/,keywords:s,contains:[{begin:/# type:/},{begin:/#/,end:/\b\B/,endsWithParent:!0}]},
y={className:"params",variants:[{className:"",begin:/\(\s*\)/,skip:!0},{begin:/\(/,end:/\)/,excludeBegin:!0,excludeEnd:!0,
keywords:s,contains:["self",c,T,f,e.HASH_COMMENT_MODE]}]};return l.contains=[f,T,c],{name:"Python",aliases:["py","gyp","\
ipython"],unicodeRegex:!0,keywords:s,illegal:/(<\/|\?)|=>/,contains:[c,T,{scope:"variable.language",match:/\bself\b/},{beginKeywords:"\
if",relevance:0},{match:/\bor\b/,scope:"keyword"},f,A,e.HASH_COMMENT_MODE,{match:[/\bdef/,/\s+/,t],scope:{1:"keyword",3:"\
title.function"},contains:[y]},{variants:[{match:[/\bclass/,/\s+/,t,/\s*/,/\(\s*/,t,/\s*\)/]},{match:[/\bclass/,/\s+/,t]}],
scope:{1:"keyword",3:"title.class",6:"title.class.inherited"}},{className:"meta",begin:/^[\t ]*@/,end:/(?=#)|$/,contains:[
T,y,f]}]}}function vn(e){let n="\\[=*\\[",t="\\]=*\\]",a={begin:n,end:t,contains:["self"]},o=[e.COMMENT("--(?!"+n+")","$"),e.COMMENT(
"--"+n,t,{contains:[a],relevance:10})];return{name:"Lua",aliases:["pluto"],keywords:{$pattern:e.UNDERSCORE_IDENT_RE,literal:"\
true false nil",keyword:"and break do else elseif end for goto if in local global not or repeat return then until while",
built_in:"_G _ENV _VERSION __index __newindex __mode __call __metatable __tostring __len __gc __add __sub __mul __div __\
mod __pow __concat __unm __eq __lt __le assert collectgarbage dofile error getfenv getmetatable ipairs load loadfile loa\
dstring module next pairs pcall print rawequal rawget rawset require select setfenv setmetatable tonumber tostring type \
unpack xpcall arg self coroutine resume yield status wrap create running debug getupvalue debug sethook getmetatable get\
hook setmetatable setlocal traceback setfenv getinfo setupvalue getlocal getregistry getfenv io lines write close flush \
open output type read stderr stdin input stdout popen tmpfile math log max acos huge ldexp pi cos tanh pow deg tan cosh \
sinh random randomseed frexp ceil floor rad abs sqrt modf asin min mod fmod log10 atan2 exp sin atan os exit setlocale d\
ate getenv difftime remove time clock tmpname rename execute package preload loadlib loaded loaders cpath config path se\
eall string sub upper len gfind rep find match char dump gmatch reverse byte format gsub lower table setn insert getn fo\
reachi maxn foreach concat sort remove"},contains:o.concat([{className:"function",beginKeywords:"function",end:"\\)",contains:[
e.inherit(e.TITLE_MODE,{begin:"([_a-zA-Z]\\w*\\.)*([_a-zA-Z]\\w*:)?[_a-zA-Z]\\w*"}),{className:"params",begin:"\\(",endsWithParent:!0,
contains:o}].concat(o)},e.C_NUMBER_MODE,e.APOS_STRING_MODE,e.QUOTE_STRING_MODE,{className:"string",begin:n,end:t,contains:[
a],relevance:5}])}}function Cn(e){let n=e.regex,t=/(?![A-Za-z0-9])(?![$])/,a=n.concat(/[a-zA-Z_\x7f-\xff][a-zA-Z0-9_\x7f-\xff]*/,t),o=n.concat(
/(\\?[A-Z][a-z0-9_\x7f-\xff]+|\\?[A-Z]+(?=[A-Z][a-z0-9_\x7f-\xff])){1,}/,t),g=n.concat(/[A-Z]+/,t),r={scope:"variable",match:"\
\\$+"+a},s={scope:"meta",variants:[{begin:/<\?php/,relevance:10},{begin:/<\?=/},{begin:/<\?/,relevance:.1},{begin:/\?>/}]},
c={scope:"subst",variants:[{begin:/\$\w+/},{begin:/\{\$/,end:/\}/}]},l=e.inherit(e.APOS_STRING_MODE,{illegal:null}),d=e.
inherit(e.QUOTE_STRING_MODE,{illegal:null,contains:e.QUOTE_STRING_MODE.contains.concat(c)}),f={begin:/<<<[ \t]*(?:(\w+)|"(\w+)")\n/,
end:/[ \t]*(\w+)\b/,contains:e.QUOTE_STRING_MODE.contains.concat(c),"on:begin":(P,$)=>{$.data._beginMatch=P[1]||P[2]},"o\
n:end":(P,$)=>{$.data._beginMatch!==P[1]&&$.ignoreMatch()}},p=e.END_SAME_AS_BEGIN({begin:/<<<[ \t]*'(\w+)'\n/,end:/[ \t]*(\w+)\b/}),
m=`[ 	
]`,S={scope:"string",variants:[d,l,f,p]},T={scope:"number",variants:[{begin:"\\b0[bB][01]+(?:_[01]+)*\\b"},{begin:"\\b0[o\
O][0-7]+(?:_[0-7]+)*\\b"},{begin:"\\b0[xX][\\da-fA-F]+(?:_[\\da-fA-F]+)*\\b"},{begin:"(?:\\b\\d+(?:_\\d+)*(\\.(?:\\d+(?:_\\d+)\
*))?|\\B\\.\\d+)(?:[eE][+-]?\\d+)?"}],relevance:0},A=["false","null","true"],y=["__CLASS__","__DIR__","__FILE__","__FUNC\
TION__","__COMPILER_HALT_OFFSET__","__LINE__","__METHOD__","__NAMESPACE__","__TRAIT__","die","echo","exit","include","in\
clude_once","print","require","require_once","array","abstract","and","as","binary","bool","boolean","break","callable",
"case","catch","class","clone","const","continue","declare","default","do","double","else","elseif","empty","enddeclare",
"endfor","endforeach","endif","endswitch","endwhile","enum","eval","extends","final","finally","float","for","foreach","\
from","global","goto","if","implements","instanceof","insteadof","int","integer","interface","isset","iterable","list","\
match|0","mixed","new","never","object","or","private","protected","public","readonly","real","return","string","switch",
"throw","trait","try","unset","use","var","void","while","xor","yield"],w=["Error|0","AppendIterator","ArgumentCountErro\
r","ArithmeticError","ArrayIterator","ArrayObject","AssertionError","BadFunctionCallException","BadMethodCallException",
"CachingIterator","CallbackFilterIterator","CompileError","Countable","DirectoryIterator","DivisionByZeroError","DomainE\
xception","EmptyIterator","ErrorException","Exception","FilesystemIterator","FilterIterator","GlobIterator","InfiniteIte\
rator","InvalidArgumentException","IteratorIterator","LengthException","LimitIterator","LogicException","MultipleIterato\
r","NoRewindIterator","OutOfBoundsException","OutOfRangeException","OuterIterator","OverflowException","ParentIterator",
"ParseError","RangeException","RecursiveArrayIterator","RecursiveCachingIterator","RecursiveCallbackFilterIterator","Rec\
ursiveDirectoryIterator","RecursiveFilterIterator","RecursiveIterator","RecursiveIteratorIterator","RecursiveRegexIterat\
or","RecursiveTreeIterator","RegexIterator","RuntimeException","SeekableIterator","SplDoublyLinkedList","SplFileInfo","S\
plFileObject","SplFixedArray","SplHeap","SplMaxHeap","SplMinHeap","SplObjectStorage","SplObserver","SplPriorityQueue","S\
plQueue","SplStack","SplSubject","SplTempFileObject","TypeError","UnderflowException","UnexpectedValueException","Unhand\
ledMatchError","ArrayAccess","BackedEnum","Closure","Fiber","Generator","Iterator","IteratorAggregate","Serializable","S\
tringable","Throwable","Traversable","UnitEnum","WeakReference","WeakMap","Directory","__PHP_Incomplete_Class","parent",
"php_user_filter","self","static","stdClass"],L={keyword:y,literal:(P=>{let $=[];return P.forEach(i=>{$.push(i),i.toLowerCase()===
i?$.push(i.toUpperCase()):$.push(i.toLowerCase())}),$})(A),built_in:w},I=P=>P.map($=>$.replace(/\|\d+$/,"")),v={variants:[
{match:[/new/,n.concat(m,"+"),n.concat("(?!",I(w).join("\\b|"),"\\b)"),o],scope:{1:"keyword",4:"title.class"}}]},D=n.concat(
a,"\\b(?!\\()"),x={variants:[{match:[n.concat(/::/,n.lookahead(/(?!class\b)/)),D],scope:{2:"variable.constant"}},{match:[
/::/,/class/],scope:{2:"variable.language"}},{match:[o,n.concat(/::/,n.lookahead(/(?!class\b)/)),D],scope:{1:"title.clas\
s",3:"variable.constant"}},{match:[o,n.concat("::",n.lookahead(/(?!class\b)/))],scope:{1:"title.class"}},{match:[o,/::/,
/class/],scope:{1:"title.class",3:"variable.language"}}]},B={scope:"attr",match:n.concat(a,n.lookahead(":"),n.lookahead(
/(?!::)/))},z={relevance:0,begin:/\(/,end:/\)/,keywords:L,contains:[B,r,x,e.C_BLOCK_COMMENT_MODE,e.C_LINE_COMMENT_MODE,e.
HASH_COMMENT_MODE,S,T,v]},Y={relevance:0,match:[/\b/,n.concat("(?!fn\\b|function\\b|",I(y).join("\\b|"),"|",I(w).join("\\\
b|"),"\\b)"),a,n.concat(m,"*"),n.lookahead(/(?=\()/)],scope:{3:"title.function.invoke"},contains:[z]};z.contains.push(Y);
let Q=[B,x,e.C_BLOCK_COMMENT_MODE,e.C_LINE_COMMENT_MODE,e.HASH_COMMENT_MODE,S,T,v],V={begin:n.concat(/#\[\s*\\?/,n.either(
o,g)),beginScope:"meta",end:/]/,endScope:"meta",keywords:{literal:A,keyword:["new","array"]},contains:[{begin:/\[/,end:/]/,
keywords:{literal:A,keyword:["new","array"]},contains:["self",...Q]},...Q,{scope:"meta",variants:[{match:o},{match:g}]}]};
return{case_insensitive:!1,keywords:L,contains:[V,e.HASH_COMMENT_MODE,e.COMMENT("//","$"),e.COMMENT("/\\*","\\*/",{contains:[
{scope:"doctag",match:"@[A-Za-z]+"}]}),{match:/__halt_compiler\(\);/,keywords:"__halt_compiler",starts:{scope:"comment",
end:e.MATCH_NOTHING_RE,contains:[{match:/\?>/,scope:"meta",endsParent:!0}]}},s,{scope:"variable.language",match:/\$this\b/},
r,Y,x,{match:[/const/,/\s/,a],scope:{1:"keyword",3:"variable.constant"}},v,{scope:"function",relevance:0,beginKeywords:"\
fn function",end:/[;{]/,excludeEnd:!0,illegal:"[$%\\[]",contains:[{beginKeywords:"use"},e.UNDERSCORE_TITLE_MODE,{begin:"\
=>",endsParent:!0},{scope:"params",begin:"\\(",end:"\\)",excludeBegin:!0,excludeEnd:!0,keywords:L,contains:["self",V,r,x,
e.C_BLOCK_COMMENT_MODE,e.C_LINE_COMMENT_MODE,e.HASH_COMMENT_MODE,S,T]}]},{scope:"class",variants:[{beginKeywords:"enum",
illegal:/[($"]/},{beginKeywords:"class interface trait",illegal:/[:($"]/}],relevance:0,end:/\{/,excludeEnd:!0,contains:[
{beginKeywords:"extends implements"},e.UNDERSCORE_TITLE_MODE]},{beginKeywords:"namespace",relevance:0,end:";",illegal:/[.']/,
contains:[e.inherit(e.UNDERSCORE_TITLE_MODE,{scope:"title.class"})]},{beginKeywords:"use",relevance:0,end:";",contains:[
{match:/\b(as|const|function)\b/,scope:"keyword"},e.UNDERSCORE_TITLE_MODE]},S,T]}}function xn(e){let n=e.regex,t={},a={begin:/\$\{/,end:/\}/,contains:["self",{begin:/:-/,contains:[t]}]};Object.assign(t,
{className:"variable",variants:[{begin:n.concat(/\$[\w\d#@][\w\d_]*/,"(?![\\w\\d])(?![$])")},a]});let o={className:"subs\
t",begin:/\$\(/,end:/\)/,contains:[e.BACKSLASH_ESCAPE]},g=e.inherit(e.COMMENT(),{match:[/(^|\s)/,/#.*$/],scope:{2:"comme\
nt"}}),r={begin:/<<-?\s*(?=\w+)/,starts:{contains:[e.END_SAME_AS_BEGIN({begin:/(\w+)/,end:/(\w+)/,className:"string"})]}},
s={className:"string",begin:/"/,end:/"/,contains:[e.BACKSLASH_ESCAPE,t,o]};o.contains.push(s);let c={match:/\\"/},l={className:"\
string",begin:/'/,end:/'/},d={match:/\\'/},f={begin:/\$?\(\(/,end:/\)\)/,contains:[{begin:/\d+#[0-9a-f]+/,className:"num\
ber"},e.NUMBER_MODE,t]},p=["fish","bash","zsh","sh","csh","ksh","tcsh","dash","scsh"],m=e.SHEBANG({binary:`(${p.join("|")}\
)`,relevance:10}),S={className:"function",begin:/\w[\w\d_]*\s*\(\s*\)\s*\{/,returnBegin:!0,contains:[e.inherit(e.TITLE_MODE,
{begin:/\w[\w\d_]*/})],relevance:0},T=["if","then","else","elif","fi","time","for","while","until","in","do","done","cas\
e","esac","coproc","function","select"],A=["true","false"],y={match:/(\/[a-z._-]+)+/},w=["break","cd","continue","eval",
"exec","exit","export","getopts","hash","pwd","readonly","return","shift","test","times","trap","umask","unset"],U=["ali\
as","bind","builtin","caller","command","declare","echo","enable","help","let","local","logout","mapfile","printf","read",
"readarray","source","sudo","type","typeset","ulimit","unalias"],L=["autoload","bg","bindkey","bye","cap","chdir","clone",
"comparguments","compcall","compctl","compdescribe","compfiles","compgroups","compquote","comptags","comptry","compvalue\
s","dirs","disable","disown","echotc","echoti","emulate","fc","fg","float","functions","getcap","getln","history","integ\
er","jobs","kill","limit","log","noglob","popd","print","pushd","pushln","rehash","sched","setcap","setopt","stat","susp\
end","ttyctl","unfunction","unhash","unlimit","unsetopt","vared","wait","whence","where","which","zcompile","zformat","z\
ftp","zle","zmodload","zparseopts","zprof","zpty","zregexparse","zsocket","zstyle","ztcp"],I=["chcon","chgrp","chown","c\
hmod","cp","dd","df","dir","dircolors","ln","ls","mkdir","mkfifo","mknod","mktemp","mv","realpath","rm","rmdir","shred",
"sync","touch","truncate","vdir","b2sum","base32","base64","cat","cksum","comm","csplit","cut","expand","fmt","fold","he\
ad","join","md5sum","nl","numfmt","od","paste","ptx","pr","sha1sum","sha224sum","sha256sum","sha384sum","sha512sum","shu\
f","sort","split","sum","tac","tail","tr","tsort","unexpand","uniq","wc","arch","basename","chroot","date","dirname","du",
"echo","env","expr","factor","groups","hostid","id","link","logname","nice","nohup","nproc","pathchk","pinky","printenv",
"printf","pwd","readlink","runcon","seq","sleep","stat","stdbuf","stty","tee","test","timeout","tty","uname","unlink","u\
ptime","users","who","whoami","yes"];return{name:"Bash",aliases:["sh","zsh"],keywords:{$pattern:/\b[a-z][a-z0-9._-]+\b/,
keyword:T,literal:A,built_in:[...w,...U,"set","shopt",...L,...I]},contains:[m,e.SHEBANG(),S,f,g,r,y,s,c,l,d,t]}}function Ln(e){return{name:"Shell Session",aliases:["console","shellsession"],contains:[{className:"meta.prompt",begin:/^\s{0,3}[./~\w\d[\]()@-]*[>%$#][ ]?/,
starts:{end:/[^\\](?=\s*$)/,subLanguage:"bash"}}]}}function Dn(e){return{name:"Dockerfile",aliases:["docker"],case_insensitive:!0,keywords:["from","maintainer","expose","e\
nv","arg","user","onbuild","stopsignal"],contains:[e.HASH_COMMENT_MODE,e.APOS_STRING_MODE,e.QUOTE_STRING_MODE,e.NUMBER_MODE,
{beginKeywords:"run cmd entrypoint volume add copy workdir label healthcheck shell",starts:{end:/[^\\]$/,subLanguage:"ba\
sh"}}],illegal:"</"}}function kn(e){let n={className:"variable",variants:[{begin:"\\$\\("+e.UNDERSCORE_IDENT_RE+"\\)",contains:[e.BACKSLASH_ESCAPE]},
{begin:/\$[@%<?\^\+\*]/}]},t={className:"string",begin:/"/,end:/"/,contains:[e.BACKSLASH_ESCAPE,n]},a={className:"variab\
le",begin:/\$\([\w-]+\s/,end:/\)/,keywords:{built_in:"subst patsubst strip findstring filter filter-out sort word wordli\
st firstword lastword dir notdir suffix basename addsuffix addprefix join wildcard realpath abspath error warning shell \
origin flavor foreach if or and call eval file value"},contains:[n,t]},o={begin:"^"+e.UNDERSCORE_IDENT_RE+"\\s*(?=[:+?]?=\
)"},g={className:"meta",begin:/^\.PHONY:/,end:/$/,keywords:{$pattern:/[\.\w]+/,keyword:".PHONY"}},r={className:"section",
begin:/^[^\s]+:/,end:/$/,contains:[n]};return{name:"Makefile",aliases:["mk","mak","make"],keywords:{$pattern:/[\w-]+/,keyword:"\
define endef undefine ifdef ifndef ifeq ifneq else endif include -include sinclude override export unexport private vpat\
h"},contains:[e.HASH_COMMENT_MODE,n,t,a,o,g,r]}}function Bn(e){let n=e.regex,t=e.COMMENT("--","$"),a={scope:"string",variants:[{begin:/'/,end:/'/,contains:[{match:/''/}]}]},
o={begin:/"/,end:/"/,contains:[{match:/""/}]},g=["true","false","unknown"],r=["double precision","large object","with ti\
mezone","without timezone"],s=["bigint","binary","blob","boolean","char","character","clob","date","dec","decfloat","dec\
imal","float","int","integer","interval","nchar","nclob","national","numeric","real","row","smallint","time","timestamp",
"varchar","varying","varbinary"],c=["add","asc","collation","desc","final","first","last","view"],l=["abs","acos","all",
"allocate","alter","and","any","are","array","array_agg","array_max_cardinality","as","asensitive","asin","asymmetric","\
at","atan","atomic","authorization","avg","begin","begin_frame","begin_partition","between","bigint","binary","blob","bo\
olean","both","by","call","called","cardinality","cascaded","case","cast","ceil","ceiling","char","char_length","charact\
er","character_length","check","classifier","clob","close","coalesce","collate","collect","column","commit","condition",
"connect","constraint","contains","convert","copy","corr","corresponding","cos","cosh","count","covar_pop","covar_samp",
"create","cross","cube","cume_dist","current","current_catalog","current_date","current_default_transform_group","curren\
t_path","current_role","current_row","current_schema","current_time","current_timestamp","current_path","current_role","\
current_transform_group_for_type","current_user","cursor","cycle","date","day","deallocate","dec","decimal","decfloat","\
declare","default","define","delete","dense_rank","deref","describe","deterministic","disconnect","distinct","double","d\
rop","dynamic","each","element","else","empty","end","end_frame","end_partition","end-exec","equals","escape","every","e\
xcept","exec","execute","exists","exp","external","extract","false","fetch","filter","first_value","float","floor","for",
"foreign","frame_row","free","from","full","function","fusion","get","global","grant","group","grouping","groups","havin\
g","hold","hour","identity","in","indicator","initial","inner","inout","insensitive","insert","int","integer","intersect",
"intersection","interval","into","is","join","json_array","json_arrayagg","json_exists","json_object","json_objectagg","\
json_query","json_table","json_table_primitive","json_value","lag","language","large","last_value","lateral","lead","lea\
ding","left","like","like_regex","listagg","ln","local","localtime","localtimestamp","log","log10","lower","match","matc\
h_number","match_recognize","matches","max","member","merge","method","min","minute","mod","modifies","module","month","\
multiset","national","natural","nchar","nclob","new","no","none","normalize","not","nth_value","ntile","null","nullif","\
numeric","octet_length","occurrences_regex","of","offset","old","omit","on","one","only","open","or","order","out","oute\
r","over","overlaps","overlay","parameter","partition","pattern","per","percent","percent_rank","percentile_cont","perce\
ntile_disc","period","portion","position","position_regex","power","precedes","precision","prepare","primary","procedure",
"ptf","range","rank","reads","real","recursive","ref","references","referencing","regr_avgx","regr_avgy","regr_count","r\
egr_intercept","regr_r2","regr_slope","regr_sxx","regr_sxy","regr_syy","release","result","return","returns","revoke","r\
ight","rollback","rollup","row","row_number","rows","running","savepoint","scope","scroll","search","second","seek","sel\
ect","sensitive","session_user","set","show","similar","sin","sinh","skip","smallint","some","specific","specifictype","\
sql","sqlexception","sqlstate","sqlwarning","sqrt","start","static","stddev_pop","stddev_samp","submultiset","subset","s\
ubstring","substring_regex","succeeds","sum","symmetric","system","system_time","system_user","table","tablesample","tan",
"tanh","then","time","timestamp","timezone_hour","timezone_minute","to","trailing","translate","translate_regex","transl\
ation","treat","trigger","trim","trim_array","true","truncate","uescape","union","unique","unknown","unnest","update","u\
pper","user","using","value","values","value_of","var_pop","var_samp","varbinary","varchar","varying","versioning","when",
"whenever","where","width_bucket","window","with","within","without","year"],d=["abs","acos","array_agg","asin","atan","\
avg","cast","ceil","ceiling","coalesce","corr","cos","cosh","count","covar_pop","covar_samp","cume_dist","dense_rank","d\
eref","element","exp","extract","first_value","floor","json_array","json_arrayagg","json_exists","json_object","json_obj\
ectagg","json_query","json_table","json_table_primitive","json_value","lag","last_value","lead","listagg","ln","log","lo\
g10","lower","max","min","mod","nth_value","ntile","nullif","percent_rank","percentile_cont","percentile_disc","position",
"position_regex","power","rank","regr_avgx","regr_avgy","regr_count","regr_intercept","regr_r2","regr_slope","regr_sxx",
"regr_sxy","regr_syy","row_number","sin","sinh","sqrt","stddev_pop","stddev_samp","substring","substring_regex","sum","t\
an","tanh","translate","translate_regex","treat","trim","trim_array","unnest","upper","value_of","var_pop","var_samp","w\
idth_bucket"],f=["current_catalog","current_date","current_default_transform_group","current_path","current_role","curre\
nt_schema","current_transform_group_for_type","current_user","session_user","system_time","system_user","current_time","\
localtime","current_timestamp","localtimestamp"],p=["create table","insert into","primary key","foreign key","not null",
"alter table","add constraint","grouping sets","on overflow","character set","respect nulls","ignore nulls","nulls first",
"nulls last","depth first","breadth first"],m=d,S=[...l,...c].filter(I=>!d.includes(I)),T={scope:"variable",match:/@[a-z0-9][a-z0-9_]*/},
A={scope:"operator",match:/[-+*/=%^~]|&&?|\|\|?|!=?|<(?:=>?|<|>)?|>[>=]?/,relevance:0},y={match:n.concat(/\b/,n.either(...m),
/\s*\(/),relevance:0,keywords:{built_in:m}};function w(I){return n.concat(/\b/,n.either(...I.map(v=>v.replace(/\s+/,"\\s+"))),
/\b/)}let U={scope:"keyword",match:w(p),relevance:0};function L(I,{exceptions:v,when:D}={}){let x=D;return v=v||[],I.map(
B=>B.match(/\|\d+$/)||v.includes(B)?B:x(B)?`${B}|0`:B)}return{name:"SQL",case_insensitive:!0,illegal:/[{}]|<\//,keywords:{
$pattern:/\b[\w\.]+/,keyword:L(S,{when:I=>I.length<3}),literal:g,type:s,built_in:f},contains:[{scope:"type",match:w(r)},
U,y,T,a,o,e.C_NUMBER_MODE,e.C_BLOCK_COMMENT_MODE,t,A]}}function Un(e){let n=e.regex,t=n.concat(/[\p{L}_]/u,n.optional(/[\p{L}0-9_.-]*:/u),/[\p{L}0-9_.-]*/u),a=/[\p{L}0-9._:-]+/u,
o={className:"symbol",begin:/&[a-z]+;|&#[0-9]+;|&#x[a-f0-9]+;/},g={begin:/\s/,contains:[{className:"keyword",begin:/#?[a-z_][a-z1-9_-]+/,
illegal:/\n/}]},r=e.inherit(g,{begin:/\(/,end:/\)/}),s=e.inherit(e.APOS_STRING_MODE,{className:"string"}),c=e.inherit(e.
QUOTE_STRING_MODE,{className:"string"}),l={endsWithParent:!0,illegal:/</,relevance:0,contains:[{className:"attr",begin:a,
relevance:0},{begin:/=\s*/,relevance:0,contains:[{className:"string",endsParent:!0,variants:[{begin:/"/,end:/"/,contains:[
o]},{begin:/'/,end:/'/,contains:[o]},{begin:/[^\s"'=<>`]+/}]}]}]};return{name:"HTML, XML",aliases:["html","xhtml","rss",
"atom","xjb","xsd","xsl","plist","wsf","svg"],case_insensitive:!0,unicodeRegex:!0,contains:[{className:"meta",begin:/<![a-z]/,
end:/>/,relevance:10,contains:[g,c,s,r,{begin:/\[/,end:/\]/,contains:[{className:"meta",begin:/<![a-z]/,end:/>/,contains:[
g,r,c,s]}]}]},e.COMMENT(/<!--/,/-->/,{relevance:10}),{begin:/<!\[CDATA\[/,end:/\]\]>/,relevance:10},o,{className:"meta",
end:/\?>/,variants:[{begin:/<\?xml/,relevance:10,contains:[c]},{begin:/<\?[a-z][a-z0-9]+/}]},{className:"tag",begin:/<style(?=\s|>)/,
end:/>/,keywords:{name:"style"},contains:[l],starts:{end:/<\/style>/,returnEnd:!0,subLanguage:"css"}},{className:"tag",begin:/<script(?=\s|>)/,
end:/>/,keywords:{name:"script"},contains:[l],starts:{end:/<\/script>/,returnEnd:!0,subLanguage:"javascript"}},{className:"\
tag",begin:/<>|<\/>/},{className:"tag",begin:n.concat(/</,n.lookahead(n.concat(t,n.either(/\/>/,/>/,/\s/)))),end:/\/?>/,
contains:[{className:"name",begin:t,relevance:0,starts:l}]},{className:"tag",begin:n.concat(/<\//,n.lookahead(n.concat(t,
/>/))),contains:[{className:"name",begin:t,relevance:0},{begin:/>/,relevance:0,endsParent:!0}]}]}}function Pn(e){let n=e.regex,t={begin:/<\/?[A-Za-z_]/,end:">",subLanguage:"xml",relevance:0},a={match:/^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/},
o={className:"code",variants:[{begin:"(`{3,})[^`](.|\\n)*?\\1`*[ ]*"},{begin:"(~{3,})[^~](.|\\n)*?\\1~*[ ]*"},{begin:"``\
`",end:"```+[ ]*$"},{begin:"~~~",end:"~~~+[ ]*$"},{begin:"`.+?`"},{begin:"(?=^( {4}|\\t))",contains:[{begin:"^( {4}|\\t)",
end:"(\\n)$"}],relevance:0}]},g={className:"bullet",begin:"^[ 	]*([*+-]|(\\d+\\.))(?=\\s+)",end:"\\s+",excludeEnd:!0},r={
begin:/^\[[^\n]+\]:/,returnBegin:!0,contains:[{className:"symbol",begin:/\[/,end:/\]/,excludeBegin:!0,excludeEnd:!0},{className:"\
link",begin:/:\s*/,end:/$/,excludeBegin:!0}]},s=/[A-Za-z][A-Za-z0-9+.-]*/,c={variants:[{begin:/\[.+?\]\[.*?\]/,relevance:0},
{begin:/\[.+?\]\(((data|javascript|mailto):|(?:http|ftp)s?:\/\/).*?\)/,relevance:2},{begin:n.concat(/\[.+?\]\(/,s,/:\/\/.*?\)/),
relevance:2},{begin:/\[.+?\]\([./?&#].*?\)/,relevance:1},{begin:/\[.*?\]\(.*?\)/,relevance:0}],returnBegin:!0,contains:[
{match:/\[(?=\])/},{className:"string",relevance:0,begin:"\\[",end:"\\]",excludeBegin:!0,returnEnd:!0},{className:"link",
relevance:0,begin:"\\]\\(",end:"\\)",excludeBegin:!0,excludeEnd:!0},{className:"symbol",relevance:0,begin:"\\]\\[",end:"\
\\]",excludeBegin:!0,excludeEnd:!0}]},l={className:"strong",contains:[],variants:[{begin:/_{2}(?!\s)/,end:/_{2}/},{begin:/\*{2}(?!\s)/,
end:/\*{2}/}]},d={className:"emphasis",contains:[],variants:[{begin:/\*(?![*\s])/,end:/\*/},{begin:/_(?![_\s])/,end:/_/,
relevance:0}]},f=e.inherit(l,{contains:[]}),p=e.inherit(d,{contains:[]});l.contains.push(p),d.contains.push(f);let m=[t,
c];return[l,d,f,p].forEach(y=>{y.contains=y.contains.concat(m)}),m=m.concat(l,d),{name:"Markdown",aliases:["md","mkdown",
"mkd"],contains:[{className:"section",variants:[{begin:"^#{1,6}",end:"$",contains:m},{begin:"(?=^.+?\\n[=-]{2,}$)",contains:[
{begin:"^[=-]*$"},{begin:"^",end:"\\n",contains:m}]}]},t,g,a,l,d,{className:"quote",begin:"^>\\s+",contains:m,end:"$"},o,
c,r,{scope:"literal",match:/&([a-zA-Z0-9]+|#[0-9]{1,7}|#[Xx][0-9a-fA-F]{1,6});/}]}}var ta="([-+]?)(\\b0[xX][a-fA-F0-9]+|(\\b\\d+(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d+)?)|NaN|[-+]?Infinity",aa={scope:"number",
match:ta,relevance:0};function $n(e){let n={className:"attr",begin:/(("(\\.|[^\\"\r\n])*")|('(\\.|[^\\'\r\n])*'))(?=\s*:)/,
relevance:1.01},t={match:/[{}[\],:]/,className:"punctuation",relevance:0},a=["true","false","null"],o={scope:"literal",beginKeywords:a.
join(" ")};return{name:"JSON",aliases:["jsonc","json5"],keywords:{literal:a},contains:[n,t,e.APOS_STRING_MODE,e.QUOTE_STRING_MODE,
o,aa,e.C_LINE_COMMENT_MODE,e.C_BLOCK_COMMENT_MODE],illegal:"\\S"}}function Fn(e){let n="true false yes no null",t="[\\w#;/?:@&=+$,.~*'()[\\]]+",a={className:"attr",variants:[{begin:/[\w*@][\w*@ :()\./-]*:(?=[ \t]|$)/},
{begin:/"[\w*@][\w*@ :()\./-]*":(?=[ \t]|$)/},{begin:/'[\w*@][\w*@ :()\./-]*':(?=[ \t]|$)/}]},o={className:"template-var\
iable",variants:[{begin:/\{\{/,end:/\}\}/},{begin:/%\{/,end:/\}/}]},g={className:"string",relevance:0,begin:/'/,end:/'/,
contains:[{match:/''/,scope:"char.escape",relevance:0}]},r={className:"string",relevance:0,variants:[{begin:/"/,end:/"/},
{begin:/\S+/}],contains:[e.BACKSLASH_ESCAPE,o]},s=e.inherit(r,{variants:[{begin:/'/,end:/'/,contains:[{begin:/''/,relevance:0}]},
{begin:/"/,end:/"/},{begin:/[^\s,{}[\]]+/}]}),p={className:"number",begin:"\\b"+"[0-9]{4}(-[0-9][0-9]){0,2}"+"([Tt \\t][0\
-9][0-9]?(:[0-9][0-9]){2})?"+"(\\.[0-9]*)?"+"([ \\t])*(Z|[-+][0-9][0-9]?(:[0-9][0-9])?)?"+"\\b"},m={end:",",endsWithParent:!0,
excludeEnd:!0,keywords:n,relevance:0},S={begin:/\{/,end:/\}/,contains:[m],illegal:"\\n",relevance:0},T={begin:"\\[",end:"\
\\]",contains:[m],illegal:"\\n",relevance:0},A=[a,{className:"meta",begin:"^---\\s*$",relevance:10},{className:"string",
begin:"[\\|>]([1-9]?[+-])?[ ]*\\n( +)[^ ][^\\n]*\\n(\\2[^\\n]+\\n?)*"},{begin:"<%[%=-]?",end:"[%-]?%>",subLanguage:"ruby",
excludeBegin:!0,excludeEnd:!0,relevance:0},{className:"type",begin:"!\\w+!"+t},{className:"type",begin:"!<"+t+">"},{className:"\
type",begin:"!"+t},{className:"type",begin:"!!"+t},{className:"meta",begin:"&"+e.UNDERSCORE_IDENT_RE+"$"},{className:"me\
ta",begin:"\\*"+e.UNDERSCORE_IDENT_RE+"$"},{className:"bullet",begin:"-(?=[ ]|$)",relevance:0},e.HASH_COMMENT_MODE,{beginKeywords:n,
keywords:{literal:n}},p,{className:"number",begin:e.C_NUMBER_RE+"\\b",relevance:0},S,T,g,r],y=[...A];return y.pop(),y.push(
s),m.contains=y,{name:"YAML",case_insensitive:!0,aliases:["yml"],contains:A}}function Kn(e){let n=e.regex,t={className:"number",relevance:0,variants:[{begin:/([+-]+)?[\d]+_[\d_]+/},{begin:e.NUMBER_RE}]},
a=e.COMMENT();a.variants=[{begin:/;/,end:/$/},{begin:/#/,end:/$/}];let o={className:"variable",variants:[{begin:/\$[\w\d"][\w\d_]*/},
{begin:/\$\{(.*?)\}/}]},g={className:"literal",begin:/\bon|off|true|false|yes|no\b/},r={className:"string",contains:[e.BACKSLASH_ESCAPE],
variants:[{begin:"'''",end:"'''",relevance:10},{begin:'"""',end:'"""',relevance:10},{begin:'"',end:'"'},{begin:"'",end:"\
'"}]},s={begin:/\[/,end:/\]/,contains:[a,g,o,r,t,"self"],relevance:0},c=/[A-Za-z0-9_-]+/,l=/"(\\"|[^"])*"/,d=/'[^']*'/,f=n.
either(c,l,d),p=n.concat(f,"(\\s*\\.\\s*",f,")*",n.lookahead(/\s*=\s*[^#\s]/));return{name:"TOML, also INI",aliases:["to\
ml"],case_insensitive:!0,illegal:/\S/,contains:[a,{className:"section",begin:/\[+/,end:/\]+/},{begin:p,className:"attr",
starts:{end:/$/,contains:[a,s,g,o,r,t]}}]}}function Gn(e){let n=e.regex;return{name:"Diff",aliases:["patch"],contains:[{className:"meta",relevance:10,match:n.either(
/^@@ +-\d+,\d+ +\+\d+,\d+ +@@/,/^@@ +-\d+ +\+\d+,\d+ +@@/,/^@@ +-\d+,\d+ +\+\d+ +@@/,/^@@ +-\d+ +\+\d+ +@@/,/^\*\*\* +\d+,\d+ +\*\*\*\*$/,
/^--- +\d+,\d+ +----$/)},{className:"comment",variants:[{begin:n.either(/Index: /,/^index/,/={3,}/,/^-{3}/,/^\*{3} /,/^\+{3}/,
/^diff --git/),end:/$/},{match:/^\*{15}$/}]},{className:"addition",begin:/^\+/,end:/$/},{className:"deletion",begin:/^-/,
end:/$/},{className:"addition",begin:/^!/,end:/$/}]}}function Hn(e){let{APOS_STRING_MODE:n,C_BLOCK_COMMENT_MODE:t,C_LINE_COMMENT_MODE:a,QUOTE_STRING_MODE:o}=e,g=[t,a],r=[n,o],
s={begin:/\burl\((?!["'])/,end:/\)/,scope:"string"},c={begin:/#[\da-f]{3,8}\b|[+-]?(?:\d*\.)?\d+(?:%|[a-z]+)?/,scope:"nu\
mber"},l={begin:/--[\w-]+|[$@][\w-]+/,scope:"variable"},d={begin:/!\w+/,scope:"keyword"},f={begin:/[\w-]+(?=\()/,scope:"\
built_in"},p=[...g,...r,s,l,c,d,f];return{name:"CSS",aliases:["scss","less"],case_insensitive:!0,contains:[...g,...r,{begin:/[\w$@-]+(?=\s*:(?![^;{}]*\{))/,
scope:"attribute",starts:{end:/[;}]/,contains:p}},{begin:/@[\w-]+/,scope:"keyword"},{begin:/#[\w-]+/,scope:"selector-id"},
{begin:/\.[a-z_-][\w-]*/,scope:"selector-class"},{begin:/::?[a-z-]+/,scope:"built_in"},{begin:/\[/,end:/\]/,contains:r},
c,{begin:/\b[a-z][\w-]*/,scope:"selector-tag"}]}}var sa=150,le=class e{content=document.createDocumentFragment();#e=[this.content];#n=performance.now()+sa;addText(n){if(performance.
now()>this.#n)throw new Error("this code takes too long");this.#e.at(-1)?.append(n)}openNode(n){this.startScope(n)}closeNode(){
this.endScope()}startScope(n){let t=this.#e.at(-1)??this.content,a=zn[n]??zn[n.split(".")[0]??""];if(!a){this.#e.push(t);
return}let o=document.createElement("span");o.className=`code-${a}`,t.append(o),this.#e.push(o)}endScope(){this.#e.length>
1&&this.#e.pop()}__addSublanguage(n){n instanceof e&&this.#e.at(-1)?.append(n.content)}finalize(){this.content.normalize()}toHTML(){
return""}},zn={addition:"addition",attr:"constant",attribute:"constant",built_in:"type",bullet:"keyword",code:"string",comment:"\
comment",deletion:"deletion",doctag:"keyword",keyword:"keyword",link:"string",literal:"constant",meta:"type",name:"keywo\
rd",number:"constant",property:"constant",quote:"comment",regexp:"string",section:"title","selector-class":"title","sele\
ctor-id":"title","selector-tag":"keyword",string:"string",symbol:"constant","template-tag":"keyword","template-variable":"\
constant",title:"title",type:"type",variable:"constant"},ie=cn.newInstance();ie.configure({__emitter:le});var ra={javascript:gn,
typescript:Tn,java:Sn,csharp:Rn,kotlin:An,cpp:yn,go:Mn,rust:In,python:wn,lua:vn,php:Cn,bash:xn,shell:Ln},ia={dockerfile:Dn,
makefile:kn,sql:Bn,css:Hn,xml:Un,markdown:Pn,json:$n,yaml:Fn,ini:Kn,diff:Gn};for(let[e,n]of Object.entries({...ra,...ia}))
ie.registerLanguage(e,n);ie.registerAliases(["c","h"],{languageName:"cpp"});var ca=2e4,oa=/.{500}|\w{100}|\s{200}/,ue=[];function os(e,n){ue.push({code:e,language:n}),ue.length===1&&setTimeout(Yn)}
function Yn(){let[e]=ue;e?.code.isConnected&&la(e.code,e.language),ue.shift(),ue.length>0&&setTimeout(Yn)}function la(e,n){
let t=e.textContent??"";if(t.length>ca||oa.test(t))return;let{_emitter:a,errorRaised:o}=ie.highlight(t,{language:n,ignoreIllegals:!0});
o||!(a instanceof le)||a.content.textContent!==t||e.replaceChildren(a.content)}function ls(e){return ie.getLanguage(e)!==
void 0}export{la as colourNow,os as colourSoon,ls as isKnown};
