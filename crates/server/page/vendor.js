// node_modules/preact/dist/preact.mjs
var n;
var t;
var r;
var u;
var i;
var f;
var o;
var e;
var l;
var c;
var a;
var s;
var h = /* @__PURE__ */ Symbol.for("pv");
var p = {};
var y = [];
var v = /^m(i|n|o|s|text|space)$/;
var w = Array.isArray;
var d = y.slice;
var _ = Object.assign;
function g(n3) {
  n3 && n3.parentNode && n3.remove();
}
function k(n3, t4, r4) {
  var u4, i4, f5, o5 = {}, e4 = arguments.length;
  for (f5 in t4) "key" == f5 ? u4 = t4[f5] : "ref" == f5 && "function" != typeof n3 ? i4 = t4[f5] : o5[f5] = t4[f5];
  return e4 > 2 && (o5.children = e4 > 3 ? d.call(arguments, 2) : r4), m(n3, o5, u4, i4, null);
}
function m(r4, u4, i4, f5, o5) {
  var e4 = { type: r4, props: u4, key: i4, ref: f5, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: h, __v: o5 || ++t, __i: -1, __u: 0 };
  return !o5 && n.vnode && n.vnode(e4), e4;
}
function $(n3) {
  return n3.children;
}
function x(n3, t4) {
  this.props = n3, this.context = t4, this.__g = 0;
}
function S(n3, t4) {
  if (null == t4) return n3.__ && S(n3.__, n3.__i + 1);
  for (var r4; t4 < n3.__k.length; t4++) if ((r4 = n3.__k[t4]) && r4.__e) return r4.__e;
  return "function" != typeof n3.type || n3.props.__P ? null : S(n3);
}
function C(t4) {
  var r4, u4 = t4.__v, i4 = u4.__e, f5 = [], o5 = [], e4 = t4.__P;
  e4 && ((r4 = _({ constructor: h }, u4)).__v = u4.__v + 1, n.vnode && n.vnode(r4), z(e4, r4, u4, t4.__n, e4.namespaceURI, 32 & u4.__u ? [i4] : null, f5, i4 || S(u4), 32 & u4.__u, o5), r4.__v = u4.__v, r4.__.__k[r4.__i] = r4, E(f5, r4, o5), u4.__ = u4.__e = null, r4.__e != i4 && j(r4));
}
function j(n3) {
  if ((n3 = n3.__) && n3.__c && !n3.props.__P) return n3.__e = null, n3.__k.some(function(t4) {
    return t4 && (n3.__e = t4.__e);
  }), j(n3);
}
function L(t4) {
  (8 & t4.__g || (t4.__g |= 8, u.push(t4), f++)) && i == n.debounceRendering || ((i = n.debounceRendering) || queueMicrotask)(H);
}
function H() {
  try {
    for (var n3, t4 = 1; u.length; ) u.length > t4 && u.sort(o), n3 = u.shift(), t4 = u.length, 8 & n3.__g && C(n3);
  } finally {
    (f = u.length) && (i || queueMicrotask)(H);
  }
}
function I(n3, t4, r4, u4, i4, f5, o5, e4, l6, c4, a5) {
  var s4, h5, v5, w6, d5, _5, g6 = u4.__k || y, k4 = t4.length;
  for (l6 = q(r4, t4, g6, l6, k4), s4 = 0; s4 < k4; s4++) null != (v5 = r4.__k[s4]) && (h5 = ~v5.__i && g6[v5.__i] || p, v5.__i = s4, _5 = z(n3, v5, h5, i4, f5, o5, e4, l6, c4, a5), w6 = v5.__e, (h5.ref != v5.ref || 8 & h5.__u) && (h5.ref && G(h5.ref, null, v5, h5), v5.ref && a5.push(v5.ref, v5.__c || w6, v5)), d5 = d5 || w6, 4 & v5.__u ? (l6 = A(v5, l6, n3, !h5.__v), h5.__e && (h5.__e = null)) : "function" == typeof v5.type && void 0 !== _5 ? l6 = _5 : w6 && (l6 = w6.nextSibling), v5.__u &= -21);
  return r4.__e = d5, l6;
}
function q(n3, t4, r4, u4, i4) {
  var f5, o5, e4, l6, c4, a5, s4, p5, y6, v5 = r4.length, d5 = v5, _5 = 0, g6 = 0, k4 = n3.__k = Array(i4);
  for (f5 = 0; f5 < i4; f5++) null != (o5 = t4[f5]) && "boolean" != typeof o5 && "function" != typeof o5 ? ("object" != typeof o5 || o5.constructor === String ? o5 = k4[f5] = m(null, o5) : w(o5) ? o5 = k4[f5] = m($, { children: o5 }) : o5.constructor === h && o5.__b ? o5 = k4[f5] = m(o5.type, o5.props, o5.key, o5.ref, o5.__v) : k4[f5] = o5, l6 = f5 + _5, o5.__ = n3, o5.__b = n3.__b + 1, e4 = null, ~(c4 = o5.__i = P(o5, r4, l6, d5)) && (d5--, (e4 = r4[c4]) && (e4.__u |= 2)), e4 && e4.__v ? (o5.__u |= 16, c4 == l6 - 1 ? _5-- : c4 == l6 + 1 ? _5++ : c4 != l6 && (c4 > l6 ? _5-- : _5++, g6 = 1)) : (~c4 || (i4 > v5 ? _5-- : i4 < v5 && _5++), "function" != typeof o5.type && (o5.__u |= 4))) : k4[f5] = null;
  if (g6) {
    for (a5 = [], s4 = [], f5 = 0; f5 < i4; f5++) if ((o5 = k4[f5]) && 16 & o5.__u) {
      for (_5 = 0, p5 = a5.length; _5 < p5; ) a5[y6 = _5 + p5 >> 1] < o5.__i ? _5 = y6 + 1 : p5 = y6;
      a5[_5] = o5.__i, s4[f5] = _5 + 1;
    }
    for (_5 = a5.length; f5--; ) s4[f5] && (s4[f5] == _5 ? _5-- : k4[f5].__u |= 4);
  }
  if (d5) for (f5 = 0; f5 < v5; f5++) !(e4 = r4[f5]) || 2 & e4.__u || (e4.__e == u4 && (u4 = S(e4)), J(e4, e4));
  return u4;
}
function A(n3, t4, r4, u4) {
  var i4, f5, o5, e4;
  if ("function" == typeof n3.type) {
    if (n3.props.__P) return t4;
    if (i4 = n3.__k) for (f5 = 0; f5 < i4.length; f5++) i4[f5] && (i4[f5].__ = n3, t4 = A(i4[f5], t4, r4, false));
    return t4;
  }
  for (t4 && !t4.parentNode && (t4 = S(n3)) && !t4.parentNode && (t4 = null), o5 = n3.__e, e4 = t4; e4 && 8 == e4.nodeType; ) e4 = e4.nextSibling;
  for (o5 != e4 && (!u4 && r4.moveBefore && o5.parentNode ? r4.moveBefore(o5, t4) : r4.insertBefore(o5, t4 || null)), t4 = o5; (t4 = t4 && t4.nextSibling) && 8 == t4.nodeType && !t4.data.startsWith("$s"); ) ;
  return t4;
}
function P(n3, t4, r4, u4) {
  var i4, f5 = n3.key, o5 = n3.type, e4 = t4[r4], l6 = e4 && !(2 & e4.__u);
  if (null === e4 && null == f5 || l6 && f5 == e4.key && o5 == e4.type) return r4;
  if (u4 > (l6 ? 1 : 0)) {
    for (i4 = r4 - 1; i4 >= 0; i4--) if ((e4 = t4[i4]) && !(2 & e4.__u) && f5 == e4.key && o5 == e4.type) return i4;
    for (i4 = r4 + 1; i4 < t4.length; i4++) if ((e4 = t4[i4]) && !(2 & e4.__u) && f5 == e4.key && o5 == e4.type) return i4;
  }
  return -1;
}
function T(n3, t4, r4) {
  null == r4 && (r4 = ""), "-" == t4[0] ? n3.setProperty(t4, r4) : n3[t4] = r4;
}
function N(n3, t4, r4, u4, i4) {
  var f5, o5;
  if ("style" == t4) if ("string" == typeof r4) n3.style.cssText = r4;
  else {
    if ("string" == typeof u4 && (n3.style.cssText = u4 = ""), u4) for (t4 in u4) r4 && t4 in r4 || T(n3.style, t4);
    if (r4) for (t4 in r4) u4 && r4[t4] == u4[t4] || T(n3.style, t4, r4[t4]);
  }
  else if ("o" == t4[0] && "n" == t4[1]) "function" != typeof r4 && (r4 = null), "function" != typeof u4 && (u4 = null), (n3.__e || (n3.__e = {}))[t4] = r4, r4 && u4 || (o5 = a[t4] || (a[t4] = V(t4)), (n3.__a || (n3.__a = {}))[t4] = c, f5 = t4 != (t4 = t4.replace(l, "$1")), (t4 = t4.slice(2))[0] < "a" && (t4 = t4.toLowerCase()), r4 ? n3.addEventListener(t4, o5, f5) : n3.removeEventListener(t4, o5, f5));
  else {
    if ("http://www.w3.org/2000/svg" == i4) t4 = t4.replace(/xlink(H|:h)/, "h").replace(/sName$/, "s");
    else if ("width" != t4 && "height" != t4 && "href" != t4 && "list" != t4 && "form" != t4 && "tabIndex" != t4 && "download" != t4 && "rowSpan" != t4 && "colSpan" != t4 && "role" != t4 && "popover" != t4 && t4 in n3) try {
      return void (n3[t4] = null == r4 ? "" : r4);
    } catch (n4) {
    }
    if ("function" == typeof r4) return;
    null == r4 || false === r4 && "-" != t4[4] ? n3.removeAttribute(t4) : n3.setAttribute(t4, "popover" == t4 && 1 == r4 ? "" : r4);
  }
}
function V(t4) {
  return function(r4) {
    var u4 = this.__e;
    if (u4) {
      if (u4 = u4[t4], null == r4[e]) r4[e] = c++;
      else if (r4[e] < this.__a[t4]) return;
      return u4(n.event ? n.event(r4) : r4);
    }
  };
}
function z(t4, r4, u4, i4, f5, o5, e4, l6, c4, a5) {
  var s4, p5, v5, d5, k4, b3, m5, M3, C4, j3, L3, H2, q3, A5, O3, P3, T4, N3, V3 = r4.type;
  if (r4.constructor !== h) return null;
  128 & u4.__u && (c4 = 32 & u4.__u, s4 = u4.__c.__z) && (r4.__u |= c4, p5 = o5 = [], 8 == s4.nodeType ? l6 = B(s4, o5) : o5.push(s4), l6 = o5[0] || l6), (s4 = n.__b) && s4(r4);
  n: if ("function" == typeof V3) {
    v5 = e4.length;
    try {
      if (M3 = r4.props, C4 = (s4 = V3.prototype) && s4.render, j3 = (s4 = V3.contextType) && i4[s4.__c], L3 = s4 ? j3 ? j3.props.value : s4.__ : i4, (d5 = u4.__c) ? (r4.__c = d5, 2 & d5.__g && (d5.__g |= 1)) : (C4 ? r4.__c = d5 = new V3(M3, L3) : (r4.__c = d5 = new x(M3, L3), d5.constructor = V3, d5.render = K), j3 && j3.sub(d5), d5.state || (d5.state = {}), d5.__n = i4, d5.__g |= 8, d5.__h = [], d5.__k = []), C4 && (d5.__s || (d5.__s = d5.state), V3.getDerivedStateFromProps && (d5.__s == d5.state && (d5.__s = _({}, d5.__s)), _(d5.__s, V3.getDerivedStateFromProps(M3, d5.__s)))), k4 = d5.props, b3 = d5.state, d5.__v = r4, u4.__c) {
        if (M3 !== k4 && C4 && !V3.getDerivedStateFromProps && d5.componentWillReceiveProps && d5.componentWillReceiveProps(M3, L3), r4.__v == u4.__v && !(8 & d5.__g) || !(4 & d5.__g) && d5.shouldComponentUpdate && false === d5.shouldComponentUpdate(M3, d5.__s, L3)) {
          r4.__v != u4.__v && (d5.props = M3, d5.state = d5.__s, d5.__g &= -9), r4.__e = u4.__e, r4.__k = u4.__k, r4.__k.some(function(n3) {
            n3 && (n3.__ = r4);
          }), y.push.apply(d5.__h, d5.__k), d5.__k = [], d5.__h.length && e4.push(d5), l6 = S(u4);
          break n;
        }
        d5.componentWillUpdate && d5.componentWillUpdate(M3, d5.__s, L3), C4 && d5.componentDidUpdate && d5.__h.push(function() {
          d5.componentDidUpdate(k4, b3, m5);
        });
      } else C4 && !V3.getDerivedStateFromProps && d5.componentWillMount && d5.componentWillMount(), C4 && d5.componentDidMount && d5.__h.push(d5.componentDidMount);
      d5.context = L3, d5.props = M3, d5.__P = t4, d5.__g &= -5, H2 = n.__r, q3 = C4 ? 25 : 0;
      do {
        d5.__g &= -9, H2 && H2(r4), s4 = d5.render(d5.props, d5.state = d5.__s, d5.context);
      } while (8 & d5.__g && ++q3 < 25);
      C4 && (y.push.apply(d5.__h, d5.__k), d5.__k = []), d5.state = d5.__s, d5.getChildContext && (i4 = _({}, i4, d5.getChildContext())), C4 && u4.__c && d5.getSnapshotBeforeUpdate && (m5 = d5.getSnapshotBeforeUpdate(k4, b3)), A5 = s4 && s4.type === $ && null == s4.key ? s4.props.children : s4, M3.__P && (s4 = l6, f5 = (t4 = M3.__P).namespaceURI, c4 = o5 = null, u4.props && u4.props.__P != t4 && (u4.__k.some(function(n3) {
        n3 && J(n3, n3);
      }), u4.__k = null), l6 = u4.__k ? S(u4, 0) : null), l6 = I(t4, w(A5) ? A5 : [A5], r4, u4, i4, f5, o5, e4, l6, c4, a5), M3.__P && (r4.__e = null, l6 = s4), r4.__u &= -161, p5 && p5.some(g), d5.__h.length && e4.push(d5), 1 & d5.__g && (d5.__g &= -4);
    } catch (t5) {
      if (e4.length = v5, r4.__v = null, c4 || o5) if (t5 && t5.then) {
        if (r4.__u |= 128 | c4, o5) {
          for (~(T4 = o5.indexOf(l6 || void 0)) || (T4 = o5.length); (N3 = o5[T4 - 1]) && 8 == N3.nodeType; ) T4--;
          for (; T4 < o5.length; T4++) if (N3 = o5[T4]) if (o5[T4] = null, O3) {
            if (N3 == P3) break;
          } else {
            if (8 != N3.nodeType) break;
            N3.data.startsWith("$s") && (P3 = B(O3 = N3));
          }
        }
        if (!O3) {
          for (; l6 && 8 == l6.nodeType && l6.nextSibling; ) l6 = l6.nextSibling;
          O3 = l6;
        }
        (s4 = B(O3 = r4.__c.__z || (r4.__c.__z = O3))) ? (r4.__e = O3, l6 = s4) : r4.__e = l6, l6 = l6 && l6.nextSibling;
      } else o5 && o5.some(g);
      else r4.__e = u4.__e;
      r4.__k || (r4.__k = u4.__k || []), t5 && t5.then || D(r4), n.__e(t5, r4, u4);
    }
  } else l6 = r4.__e = F(u4.__e, r4, u4, i4, f5, o5, e4, c4, a5, t4);
  return (s4 = n.diffed) && s4(r4), l6;
}
function B(n3, t4) {
  if (n3 && 8 == n3.nodeType && n3.data.startsWith("$s")) for (var r4 = 1; n3 = n3.nextSibling; ) {
    if (8 == n3.nodeType) {
      if (n3.data.startsWith("$s")) r4++;
      else if (n3.data.startsWith("/$s") && !--r4) return n3;
    }
    t4 && t4.push(n3);
  }
}
function D(n3) {
  n3 && (n3.__c && (n3.__c.__g |= 4), n3.__k && n3.__k.some(D));
}
function E(t4, r4, u4) {
  for (var i4 = 0; i4 < u4.length; ) G(u4[i4++], u4[i4++], u4[i4++]);
  n.__c && n.__c(r4, t4), t4.some(function(r5) {
    try {
      t4 = r5.__h, r5.__h = [], t4.some(function(n3) {
        n3.call(r5);
      });
    } catch (t5) {
      n.__e(t5, r5.__v);
    }
  });
}
function F(t4, r4, u4, i4, f5, o5, e4, l6, c4, a5) {
  var s4, h5, y6, _5, k4, b3, m5, M3, $2 = u4.props || p, x4 = r4.props, C4 = r4.type;
  if ("svg" == C4 ? f5 = "http://www.w3.org/2000/svg" : "math" == C4 ? f5 = "http://www.w3.org/1998/Math/MathML" : f5 || (f5 = "http://www.w3.org/1999/xhtml"), o5) {
    for (s4 = 0; s4 < o5.length; s4++) if ((k4 = o5[s4]) && (C4 ? k4.localName == C4 : 3 == k4.nodeType)) {
      t4 = k4, o5[s4] = null;
      break;
    }
  }
  if (!t4) {
    if (M3 = a5.ownerDocument || document, !C4) return M3.createTextNode(x4);
    t4 = M3.createElementNS(f5, C4, x4.is ? x4 : a5), l6 && (n.__m && n.__m(r4, o5), l6 = false), o5 = null;
  }
  if (C4) {
    if (a5 = "template" == C4 && t4.content || t4, o5 = "textarea" == C4 && null != x4.defaultValue ? null : o5 && d.call(a5.childNodes), !l6 && o5) for ($2 = {}, s4 = 0; s4 < t4.attributes.length; s4++) $2[(k4 = t4.attributes[s4]).name] = k4.value;
    for (s4 in $2) k4 = $2[s4], "dangerouslySetInnerHTML" == s4 ? y6 = k4 : "children" == s4 || s4 in x4 || "value" == s4 && "defaultValue" in x4 || "checked" == s4 && "defaultChecked" in x4 || N(t4, s4, null, k4, f5);
    for (s4 in x4) k4 = x4[s4], "children" == s4 ? _5 = k4 : "dangerouslySetInnerHTML" == s4 ? h5 = k4 : "value" == s4 ? b3 = k4 : "checked" == s4 ? m5 = k4 : l6 && "function" != typeof k4 || $2[s4] === k4 || N(t4, s4, k4, $2[s4], f5);
    h5 ? (l6 || y6 && (h5.__html == y6.__html || h5.__html == t4.innerHTML) || (t4.innerHTML = h5.__html), r4.__k = []) : (y6 && (t4.textContent = ""), ("foreignObject" == C4 || "http://www.w3.org/1998/Math/MathML" == f5 && v.test(C4)) && (f5 = "http://www.w3.org/1999/xhtml"), I(a5, w(_5) ? _5 : [_5], r4, u4, i4, f5, o5, e4, o5 ? o5[0] : u4.__k && S(u4, 0), l6, c4), o5 && o5.some(g)), l6 && "textarea" != C4 || (s4 = "value", "progress" == C4 && null == b3 ? t4.removeAttribute(s4) : null == b3 || b3 === t4[s4] && ("progress" != C4 || b3) || N(t4, s4, b3, $2[s4], f5), s4 = "checked", null != m5 && m5 != t4[s4] && N(t4, s4, m5, $2[s4], f5));
  } else $2 === x4 || l6 && t4.data == x4 || (t4.data = x4);
  return t4;
}
function G(t4, r4, u4, i4) {
  try {
    "function" == typeof t4 ? r4 ? r4.__x = t4(r4) || 1 : i4 && (i4 = i4.__c || i4.__e) && (r4 = i4.__x) && (i4.__x = null, "function" == typeof r4 ? r4() : t4(null)) : t4.current = r4;
  } catch (t5) {
    n.__e(t5, u4);
  }
}
function J(t4, r4, u4) {
  var i4, f5, o5, e4;
  if (n.unmount && n.unmount(t4), !(i4 = t4.ref) || i4.current && i4.current != t4.__e || G(i4, null, r4, t4), i4 = t4.__c) {
    if (i4.componentWillUnmount) try {
      i4.componentWillUnmount();
    } catch (t5) {
      n.__e(t5, r4);
    }
    i4.__P = i4.__n = null;
  }
  if (i4 = t4.__k) for (e4 = 0; e4 < i4.length; e4++) i4[e4] && J(i4[e4], r4, "function" != typeof t4.type || u4 && !t4.props.__P);
  !u4 && (i4 = t4.__c) && (i4 = i4.__z) && (f5 = B(i4, o5 = [])) && (i4 == t4.__e && o5.some(g), g(f5), g(i4)), u4 || g(t4.__e), t4.__e = t4.__c = t4.__ = null;
}
function K(n3, t4, r4) {
  return this.constructor(n3, r4);
}
function Q(t4, r4) {
  var u4, i4, f5, o5;
  n.__ && n.__(t4, r4), 9 == r4.nodeType && (r4 = r4.documentElement), i4 = (u4 = t4 && 32 & t4.__u) ? null : r4.__k, r4.__k = m($, { children: [t4] }), f5 = [], o5 = [], z(r4, r4.__k, i4 || p, p, r4.namespaceURI, i4 ? null : r4.firstChild ? d.call(r4.childNodes) : null, f5, i4 ? i4.__e : r4.firstChild, u4, o5), E(f5, r4.__k, o5), r4.__k.props.children = null;
}
n = { __e: function(n3, t4, r4, u4) {
  for (var i4, o5, e4; t4 = t4.__; ) if ((i4 = t4.__c) && !(1 & i4.__g)) {
    i4.__g |= 4;
    try {
      if ((e4 = (o5 = i4.constructor) && o5.getDerivedStateFromError) && i4.setState(o5.getDerivedStateFromError(n3)), i4.componentDidCatch && (i4.componentDidCatch(n3, u4 || {}), e4 = 1), e4 && 8 & i4.__g) return void (i4.__g |= 2);
    } catch (t5) {
      n3 = t5;
    }
  }
  throw f = 0, n3;
} }, t = 0, r = function(n3) {
  return null != n3 && n3.constructor === h;
}, x.prototype.setState = function(n3, t4) {
  var r4 = this.__s;
  r4 && r4 != this.state || (r4 = this.__s = _({}, this.state)), "function" == typeof n3 && (n3 = n3(_({}, r4), this.props)), n3 && (_(r4, n3), this.__v && (t4 && this.__k.push(t4), L(this)));
}, x.prototype.forceUpdate = function(n3) {
  this.__v && (this.__g |= 4, n3 && this.__h.push(n3), L(this));
}, x.prototype.render = $, u = [], f = 0, o = function(n3, t4) {
  return n3.__v.__b - t4.__v.__b;
}, e = /* @__PURE__ */ Symbol(), l = /(PointerCapture)$|Capture$/i, c = 0, a = {}, s = 0;

// node_modules/preact/hooks/dist/hooks.mjs
var t2;
var r2;
var u2;
var i2;
var o2 = Object.is;
var f2 = 0;
var c2 = [];
var e2 = [];
var a2 = n;
var v2 = a2.__b;
var l2 = a2.__r;
var m2 = a2.diffed;
var h2 = a2.__c;
var s2 = a2.unmount;
var p2 = a2.__;
function y2(n3, t4) {
  a2.__h && a2.__h(r2, n3, f2 || t4), f2 = 0;
  var u4 = r2.__H || (r2.__H = { __: [], __h: [] });
  return n3 >= u4.__.length && u4.__.push({}), u4.__[n3];
}
function d2(n3) {
  return f2 = 1, _2(G2, n3);
}
function _2(n3, u4, i4) {
  var f5 = y2(t2++, 2);
  if (f5.t = n3, !f5.__c && (f5.__ = [i4 ? i4(u4) : G2(void 0, u4), function(n4) {
    var t4 = (f5.__N || f5.__)[0], r4 = f5.t(t4, n4);
    o2(t4, r4) || (f5.__N = [r4, f5.__[1]], f5.__c.setState({}));
  }], f5.__c = r2, !r2.__f)) {
    r2.__f = true;
    var c4 = r2.shouldComponentUpdate;
    r2.shouldComponentUpdate = function(n4, t4, r4) {
      var u5 = this.__H;
      if (!u5) return true;
      var i5 = false, f6 = this.props != n4;
      if (u5.__.some(function(n5) {
        n5.__N && (i5 = true, o2(n5.__[0], n5.__N[0]) || (f6 = true));
      }), c4) {
        var e4 = c4.call(this, n4, t4, r4);
        return i5 ? e4 || f6 : e4;
      }
      return !i5 || f6;
    };
  }
  return f5.__;
}
function A2(n3, u4) {
  var i4 = y2(t2++, 3);
  !a2.__s && E2(i4.__H, u4) && (i4.__P = true, i4.__ = n3, i4.u = u4, r2.__H.__h.push(i4));
}
function F2(n3, u4) {
  var i4 = y2(t2++, 4);
  !a2.__s && E2(i4.__H, u4) && (i4.__P = false, i4.__ = n3, i4.u = u4, r2.__h.push(i4));
}
function T2(n3) {
  return f2 = 5, w2(function() {
    return { current: n3 };
  }, []);
}
function w2(n3, r4) {
  var u4 = y2(t2++, 7);
  return E2(u4.__H, r4) && (u4.__ = n3(), u4.__H = r4), u4.__;
}
function g2() {
  var n3;
  do {
    for (; n3 = e2.shift(); ) try {
      C2(n3);
    } catch (t5) {
      a2.__e(t5, { __: (n3 = n3.__P) && n3.__v });
    }
    for (; n3 = c2.shift(); ) {
      var t4 = n3.__H;
      if (n3.__P && t4) try {
        t4.__h.some(C2), t4.__h.some(D2), t4.__h = [];
      } catch (r4) {
        t4.__h = [], a2.__e(r4, n3.__v);
      }
    }
  } while (e2.length);
}
a2.__b = function(n3) {
  r2 = null, v2 && v2(n3);
}, a2.__ = function(n3, t4) {
  n3 && t4.__k && t4.__k.__m && (n3.__m = t4.__k.__m), p2 && p2(n3, t4);
}, a2.__r = function(n3) {
  l2 && l2(n3), t2 = 0;
  var i4 = (r2 = n3.__c).__H;
  i4 && (u2 == r2 ? r2.__h = [] : (i4.__h.some(C2), i4.__h.some(D2), t2 = 0), i4.__h = [], i4.__.some(function(n4) {
    n4.__N && (n4.__ = n4.__N), n4.u = n4.__N = void 0;
  })), u2 = r2;
}, a2.diffed = function(n3) {
  m2 && m2(n3);
  var t4 = n3.__c;
  t4 && t4.__H && (t4.__H.__h.length && B2(c2.push(t4)), t4.__H.__.some(function(n4) {
    n4.u && (n4.__H = n4.u);
  })), u2 = r2 = null;
}, a2.__c = function(n3, t4) {
  t4.some(function(n4) {
    try {
      n4.__h.some(C2), n4.__h = n4.__h.filter(function(n5) {
        return !n5.__ || D2(n5);
      });
    } catch (t5) {
      n4.__h = [function() {
        throw t5;
      }];
    }
  }), h2 && h2(n3, t4);
}, a2.unmount = function(n3) {
  s2 && s2(n3);
  var t4, r4, u4 = n3.__c;
  u4 && u4.__H && (u4.__H.__.some(function(u5) {
    try {
      if (u5.__P && u5.__c) {
        if (void 0 === r4) {
          for (r4 = n3.__; r4 && (!r4.__c || !r4.__c.__P); ) r4 = r4.__;
          r4 = r4 && r4.__c;
        }
        u5.__P = r4, B2(e2.push(u5));
      } else C2(u5);
    } catch (n4) {
      t4 = n4;
    }
  }), u4.__H = void 0, t4 && a2.__e(t4, u4.__v));
};
var k2 = "function" == typeof requestAnimationFrame;
function z2(n3) {
  var t4, r4 = function() {
    clearTimeout(u4), k2 && cancelAnimationFrame(t4), setTimeout(n3);
  }, u4 = setTimeout(r4, 35);
  k2 && (t4 = requestAnimationFrame(r4));
}
function B2(n3) {
  1 != n3 && i2 == a2.requestAnimationFrame || ((i2 = a2.requestAnimationFrame) || z2)(g2);
}
function C2(n3) {
  var t4 = r2, u4 = n3.__c;
  "function" == typeof u4 && (n3.__c = void 0, u4()), r2 = t4;
}
function D2(n3) {
  var t4 = r2;
  n3.__c = n3.__(), r2 = t4;
}
function E2(n3, t4) {
  return !n3 || n3.length != t4.length || t4.some(function(t5, r4) {
    return !o2(t5, n3[r4]);
  });
}
function G2(n3, t4) {
  return "function" == typeof t4 ? t4(n3) : t4;
}

// node_modules/preact/jsx-runtime/dist/jsxRuntime.mjs
var f3 = /* @__PURE__ */ Symbol.for("pv");
var o3 = 0;
function a3(t4, e4, n3, u4, a5, i4) {
  e4 || (e4 = {});
  var c4, l6, p5 = e4;
  if ("ref" in p5 && "function" != typeof t4) for (l6 in p5 = {}, e4) "ref" == l6 ? c4 = e4[l6] : p5[l6] = e4[l6];
  var s4 = { type: t4, props: p5, key: n3, ref: c4, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: f3, __v: --o3, __i: -1, __u: 0 };
  return (a5 || i4) && (s4.__source = a5, s4.__self = i4), n.vnode && n.vnode(s4), s4;
}

// node_modules/@preact/signals-core/dist/signals-core.module.js
var i3 = /* @__PURE__ */ Symbol.for("preact-signals");
function t3() {
  if (!(v3 > 1)) {
    var i4, t4 = false;
    !(function() {
      var i5 = c3;
      c3 = void 0;
      while (void 0 !== i5) {
        var t5 = i5.S;
        if (t5.v === i5.v) {
          for (var r5 = t5.t; void 0 !== r5; r5 = r5.x) if (r5.i === i5.i) r5.i = t5.i;
        }
        i5 = i5.o;
      }
    })();
    while (void 0 !== h3) {
      var r4 = h3;
      h3 = void 0;
      s3++;
      while (void 0 !== r4) {
        var n3 = r4.u;
        r4.u = void 0;
        r4.f &= -3;
        if (!(8 & r4.f) && w3(r4)) try {
          r4.c();
        } catch (r5) {
          if (!t4) {
            i4 = r5;
            t4 = true;
          }
        }
        r4 = n3;
      }
    }
    s3 = 0;
    v3--;
    if (t4) throw i4;
  } else v3--;
}
function r3(i4) {
  if (v3 > 0) return i4();
  u3 = ++e3;
  v3++;
  try {
    return i4();
  } finally {
    t3();
  }
}
var n2;
var o4 = void 0;
function f4(i4) {
  var t4 = o4, r4 = n2;
  o4 = void 0;
  n2 = void 0;
  try {
    return i4();
  } finally {
    o4 = t4;
    n2 = r4;
  }
}
var h3 = void 0;
var v3 = 0;
var s3 = 0;
var e3 = 0;
var u3 = 0;
var c3 = void 0;
var a4 = 0;
function d3(i4) {
  if (void 0 !== o4) {
    var t4 = i4.n;
    if (void 0 === t4 || t4.t !== o4) {
      t4 = { i: 0, S: i4, p: o4.s, n: void 0, t: o4, e: void 0, x: void 0, r: t4 };
      if (void 0 !== o4.s) o4.s.n = t4;
      o4.s = t4;
      i4.n = t4;
      if (32 & o4.f) i4.S(t4);
      return t4;
    } else if (-1 === t4.i) {
      t4.i = 0;
      if (void 0 !== t4.n) {
        t4.n.p = t4.p;
        if (void 0 !== t4.p) t4.p.n = t4.n;
        t4.p = o4.s;
        t4.n = void 0;
        o4.s.n = t4;
        o4.s = t4;
      }
      return t4;
    }
  }
}
function l3(i4, t4) {
  this.v = i4;
  this.i = 0;
  this.n = void 0;
  this.t = void 0;
  this.l = 0;
  this.W = null == t4 ? void 0 : t4.watched;
  this.Z = null == t4 ? void 0 : t4.unwatched;
  this.name = null == t4 ? void 0 : t4.name;
}
l3.prototype.brand = i3;
l3.prototype.h = function() {
  return true;
};
l3.prototype.S = function(i4) {
  var t4 = this, r4 = this.t;
  if (r4 !== i4 && void 0 === i4.e) {
    i4.x = r4;
    this.t = i4;
    if (void 0 !== r4) r4.e = i4;
    else f4(function() {
      var i5;
      null == (i5 = t4.W) || i5.call(t4);
    });
  }
};
l3.prototype.U = function(i4) {
  var t4 = this;
  if (void 0 !== this.t) {
    var r4 = i4.e, n3 = i4.x;
    if (void 0 !== r4) {
      r4.x = n3;
      i4.e = void 0;
    }
    if (void 0 !== n3) {
      n3.e = r4;
      i4.x = void 0;
    }
    if (i4 === this.t) {
      this.t = n3;
      if (void 0 === n3) f4(function() {
        var i5;
        null == (i5 = t4.Z) || i5.call(t4);
      });
    }
  }
};
l3.prototype.subscribe = function(i4) {
  var t4 = this;
  return x2(function() {
    var r4 = t4.value;
    f4(function() {
      return i4(r4);
    });
  }, { name: "sub" });
};
l3.prototype.valueOf = function() {
  return this.value;
};
l3.prototype.toString = function() {
  return this.value + "";
};
l3.prototype.toJSON = function() {
  return this.value;
};
l3.prototype.peek = function() {
  var i4 = this;
  return f4(function() {
    return i4.value;
  });
};
Object.defineProperty(l3.prototype, "value", { get: function() {
  var i4 = d3(this);
  if (void 0 !== i4) i4.i = this.i;
  return this.v;
}, set: function(i4) {
  if (i4 !== this.v) {
    if (s3 > 100) throw new Error("Cycle detected");
    !(function(i5) {
      if (0 !== v3 && 0 === s3) {
        if (i5.l !== u3) {
          i5.l = u3;
          c3 = { S: i5, v: i5.v, i: i5.i, o: c3 };
        }
      }
    })(this);
    this.v = i4;
    this.i++;
    a4++;
    v3++;
    try {
      for (var r4 = this.t; void 0 !== r4; r4 = r4.x) r4.t.N();
    } finally {
      t3();
    }
  }
} });
function y3(i4, t4) {
  return new l3(i4, t4);
}
function w3(i4) {
  for (var t4 = i4.s; void 0 !== t4; t4 = t4.n) if (t4.S.i !== t4.i || !t4.S.h() || t4.S.i !== t4.i) return true;
  return false;
}
function b(i4) {
  for (var t4 = i4.s; void 0 !== t4; t4 = t4.n) {
    var r4 = t4.S.n;
    if (void 0 !== r4) t4.r = r4;
    t4.S.n = t4;
    t4.i = -1;
    if (void 0 === t4.n) {
      i4.s = t4;
      break;
    }
  }
}
function _3(i4) {
  var t4 = i4.s, r4 = void 0;
  while (void 0 !== t4) {
    var n3 = t4.p;
    if (-1 === t4.i) {
      t4.S.U(t4);
      if (void 0 !== n3) n3.n = t4.n;
      if (void 0 !== t4.n) t4.n.p = n3;
    } else r4 = t4;
    t4.S.n = t4.r;
    if (void 0 !== t4.r) t4.r = void 0;
    t4 = n3;
  }
  i4.s = r4;
}
function j2(i4, t4) {
  l3.call(this, void 0, t4);
  this.x = i4;
  this.s = void 0;
  this.g = a4 - 1;
  this.f = 4;
}
j2.prototype = new l3();
j2.prototype.h = function() {
  this.f &= -3;
  if (1 & this.f) return false;
  if (32 == (36 & this.f)) return true;
  this.f &= -5;
  if (this.g === a4) return true;
  this.g = a4;
  this.f |= 1;
  if (this.i > 0 && !w3(this)) {
    this.f &= -2;
    return true;
  }
  var i4 = o4;
  try {
    b(this);
    o4 = this;
    var t4 = this.x();
    if (16 & this.f || this.v !== t4 || 0 === this.i) {
      this.v = t4;
      this.f &= -17;
      this.i++;
    }
  } catch (i5) {
    this.v = i5;
    this.f |= 16;
    this.i++;
  }
  o4 = i4;
  _3(this);
  this.f &= -2;
  return true;
};
j2.prototype.S = function(i4) {
  if (void 0 === this.t) {
    this.f |= 36;
    for (var t4 = this.s; void 0 !== t4; t4 = t4.n) t4.S.S(t4);
  }
  l3.prototype.S.call(this, i4);
};
j2.prototype.U = function(i4) {
  if (void 0 !== this.t) {
    l3.prototype.U.call(this, i4);
    if (void 0 === this.t) {
      this.f &= -33;
      for (var t4 = this.s; void 0 !== t4; t4 = t4.n) t4.S.U(t4);
    }
  }
};
j2.prototype.N = function() {
  if (!(2 & this.f)) {
    this.f |= 6;
    for (var i4 = this.t; void 0 !== i4; i4 = i4.x) i4.t.N();
  }
};
Object.defineProperty(j2.prototype, "value", { get: function() {
  if (1 & this.f) throw new Error("Cycle detected");
  var i4 = d3(this);
  this.h();
  if (void 0 !== i4) i4.i = this.i;
  if (16 & this.f) throw this.v;
  return this.v;
} });
function O(i4, t4) {
  return new j2(i4, t4);
}
function p3(i4) {
  var r4 = i4.j;
  i4.j = void 0;
  if ("function" == typeof r4) {
    v3++;
    var n3 = o4;
    o4 = void 0;
    try {
      r4();
    } catch (t4) {
      i4.f &= -2;
      i4.f |= 8;
      g3(i4);
      throw t4;
    } finally {
      o4 = n3;
      t3();
    }
  }
}
function g3(i4) {
  for (var t4 = i4.s; void 0 !== t4; t4 = t4.n) t4.S.U(t4);
  i4.x = void 0;
  i4.s = void 0;
  p3(i4);
}
function S2(i4) {
  if (o4 !== this) throw new Error("Out-of-order effect");
  _3(this);
  o4 = i4;
  this.f &= -2;
  try {
    if (8 & this.f) g3(this);
  } finally {
    t3();
  }
}
function m3(i4, t4) {
  this.x = i4;
  this.j = void 0;
  this.s = void 0;
  this.u = void 0;
  this.f = 32;
  this.name = null == t4 ? void 0 : t4.name;
  if (n2) n2.push(this);
}
m3.prototype.c = function() {
  var i4 = this.S();
  try {
    if (8 & this.f) return;
    if (void 0 === this.x) return;
    var t4 = this.x();
    if ("function" == typeof t4) this.j = t4;
  } finally {
    i4();
  }
};
m3.prototype.S = function() {
  if (1 & this.f) throw new Error("Cycle detected");
  this.f |= 1;
  this.f &= -9;
  p3(this);
  b(this);
  v3++;
  var i4 = o4;
  o4 = this;
  return S2.bind(this, i4);
};
m3.prototype.N = function() {
  if (!(2 & this.f)) {
    this.f |= 2;
    this.u = h3;
    h3 = this;
  }
};
m3.prototype.d = function() {
  this.f |= 8;
  if (!(1 & this.f)) g3(this);
};
m3.prototype.dispose = function() {
  this.d();
};
function x2(i4, t4) {
  var r4 = new m3(i4, t4);
  try {
    r4.c();
  } catch (i5) {
    r4.d();
    throw i5;
  }
  var n3 = r4.d.bind(r4);
  n3[Symbol.dispose] = n3;
  return n3;
}

// node_modules/@preact/signals/dist/signals.module.js
var h4;
var d4;
var p4;
var m4 = "undefined" != typeof window && !!window.__PREACT_SIGNALS_DEVTOOLS__;
var g4 = [];
x2(function() {
  h4 = this.N;
})();
function b2(i4, n3) {
  n[i4] = n3.bind(null, n[i4] || function() {
  });
}
function y4(i4) {
  if (p4) {
    var n3 = p4;
    p4 = void 0;
    n3();
  }
  p4 = i4 && i4.S();
}
function w4(i4) {
  var n3 = this, r4 = i4.data, t4 = useSignal(r4);
  t4.name = "ReactiveDom";
  t4.value = r4;
  var e4 = w2(function() {
    var i5 = n3, r5 = n3.__v;
    while (r5 = r5.__) if (r5.__c) {
      r5.__c.__$f |= 4;
      break;
    }
    var o5 = O(function() {
      var i6 = t4.value.value;
      return 0 === i6 ? 0 : true === i6 ? "" : i6 || "";
    }), e5 = O(function() {
      return !Array.isArray(o5.value) && !r(o5.value);
    }), u5 = x2(function() {
      this.N = M;
      if (e5.value) {
        var n4 = o5.value;
        if (i5.__v && i5.__v.__e && 3 === i5.__v.__e.nodeType) i5.__v.__e.data = n4;
      }
    }), c5 = n3.__$u.d;
    n3.__$u.d = function() {
      u5();
      c5.call(this);
    };
    return [e5, o5];
  }, []), u4 = e4[0], c4 = e4[1];
  return u4.value ? c4.peek() : c4.value;
}
w4.displayName = "ReactiveTextNode";
Object.defineProperties(l3.prototype, { constructor: { configurable: true, value: k($, null).constructor }, type: { configurable: true, value: w4 }, props: { configurable: true, get: function() {
  var i4 = this;
  return { data: { get value() {
    return i4.value;
  } } };
} }, __b: { configurable: true, value: 1 } });
b2("__b", function(i4, n3) {
  y4();
  d4 = void 0;
  if ("string" == typeof n3.type) {
    var r4, t4 = n3.props;
    for (var f5 in t4) if ("children" !== f5) {
      var o5 = t4[f5];
      if (o5 instanceof l3) {
        if (!r4) n3.__np = r4 = {};
        r4[f5] = o5;
        t4[f5] = o5.peek();
      }
    }
  }
  i4(n3);
});
b2("__r", function(i4, r4) {
  i4(r4);
  if (r4.type !== $) {
    y4();
    var t4, f5 = r4.__c;
    if (f5) {
      f5.__$f &= -2;
      if (void 0 === (t4 = f5.__$u)) f5.__$u = t4 = (function(i5, n3) {
        var r5;
        x2(function() {
          r5 = this;
        }, { name: n3 });
        r5.c = i5;
        return r5;
      })(/* @__PURE__ */ (function(i5) {
        return function() {
          var n3;
          if (m4) null == (n3 = this.y) || n3.call(this);
          i5.__$f |= 1;
          i5.setState({});
        };
      })(f5), "function" == typeof r4.type ? r4.type.displayName || r4.type.name : "");
    }
    d4 = f5;
    y4(t4);
  }
});
b2("__e", function(i4, n3, r4, t4) {
  y4();
  d4 = void 0;
  i4(n3, r4, t4);
});
b2("diffed", function(i4, n3) {
  y4();
  d4 = void 0;
  var r4;
  if ("string" == typeof n3.type && (r4 = n3.__e)) {
    var t4 = n3.__np, f5 = n3.props, o5 = r4.U;
    if (o5) for (var e4 in o5) {
      var u4 = o5[e4];
      if (!(void 0 === u4 || t4 && e4 in t4)) {
        u4.d();
        o5[e4] = void 0;
      }
    }
    if (t4) {
      if (!o5) {
        o5 = {};
        r4.U = o5;
      }
      for (var a5 in t4) {
        var c4 = o5[a5], v5 = t4[a5];
        if (void 0 === c4) {
          c4 = k3(r4, a5, v5, f5);
          o5[a5] = c4;
        } else c4.o(v5, f5);
      }
    }
  }
  i4(n3);
});
function k3(i4, n3, r4, t4) {
  var f5 = n3 in i4 && void 0 === i4.ownerSVGElement, o5 = y3(r4);
  return { o: function(i5, n4) {
    o5.value = i5;
    t4 = n4;
  }, d: x2(function() {
    this.N = M;
    var r5 = o5.value.value;
    if (t4[n3] !== r5) {
      t4[n3] = r5;
      if (f5) i4[n3] = r5;
      else if (null != r5 && (false !== r5 || "-" === n3[4])) i4.setAttribute(n3, r5);
      else i4.removeAttribute(n3);
    }
  }) };
}
b2("unmount", function(i4, n3) {
  if ("string" == typeof n3.type) {
    var r4 = n3.__e;
    if (r4) {
      var t4 = r4.U;
      if (t4) {
        r4.U = void 0;
        for (var f5 in t4) {
          var o5 = t4[f5];
          if (o5) o5.d();
        }
      }
    }
    var e4 = n3.__np;
    if (e4) {
      var u4 = n3.props;
      for (var a5 in e4) u4[a5] = e4[a5];
    }
    n3.__np = void 0;
  } else {
    var c4 = n3.__c;
    if (c4) {
      c4.__$f |= 8;
      var v5 = c4.__$u;
      if (v5) {
        c4.__$u = void 0;
        v5.d();
      }
    }
  }
  i4(n3);
});
b2("__h", function(i4, n3, r4, t4) {
  if (t4 < 3) n3.__$f |= 2;
  i4(n3, r4, t4);
});
x.prototype.shouldComponentUpdate = function(i4, n3) {
  if (this.__R) return true;
  var r4 = this.__$u, t4 = r4 && void 0 !== r4.s;
  for (var f5 in n3) return true;
  if (this.__f || "boolean" == typeof this.u && true === this.u) {
    var o5 = 2 & this.__$f;
    if (!(t4 || o5 || 4 & this.__$f)) return true;
    if (1 & this.__$f) return true;
  } else {
    if (!(t4 || 4 & this.__$f)) return true;
    if (3 & this.__$f) return true;
  }
  for (var e4 in i4) if ("__source" !== e4 && i4[e4] !== this.props[e4]) return true;
  for (var u4 in this.props) if (!(u4 in i4)) return true;
  return false;
};
function useSignal(i4, n3) {
  return w2(function() {
    return y3(i4, n3);
  }, []);
}
var A3 = function(i4) {
  queueMicrotask(function() {
    queueMicrotask(i4);
  });
};
function F3() {
  r3(function() {
    var i4;
    while (i4 = g4.shift()) h4.call(i4);
  });
}
function M() {
  if (1 === g4.push(this)) (n.requestAnimationFrame || A3)(F3);
}

// node_modules/marked/lib/marked.esm.js
function G3() {
  return { async: false, breaks: false, extensions: null, gfm: true, hooks: null, pedantic: false, renderer: null, silent: false, tokenizer: null, walkTokens: null };
}
var S3 = G3();
function ue(l6) {
  S3 = l6;
}
var q2 = { exec: () => null };
function D3(l6) {
  let e4 = [];
  return (t4) => {
    let n3 = Math.max(0, Math.min(3, t4 - 1)), r4 = e4[n3];
    return r4 || (r4 = l6(n3), e4[n3] = r4), r4;
  };
}
function g5(l6, e4 = "") {
  let t4 = typeof l6 == "string" ? l6 : l6.source, n3 = { replace: (r4, s4) => {
    let o5 = typeof s4 == "string" ? s4 : s4.source;
    return o5 = o5.replace(O2.caret, "$1"), t4 = t4.replace(r4, o5), n3;
  }, getRegex: () => new RegExp(t4, e4) };
  return n3;
}
var _e = ((l6 = "") => {
  try {
    return !!new RegExp("(?<=1)(?<!1)" + l6);
  } catch {
    return false;
  }
})();
var O2 = { codeRemoveIndent: /^(?: {0,3}\t| {1,4})/gm, listInterruptsParagraph: /^ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t\n]/, outputLinkReplace: /\\([\[\]])/g, indentCodeCompensation: /^(\s+)(?:```)/, beginningSpace: /^\s+/, endingHash: /#$/, startingSpaceChar: /^ /, endingSpaceChar: / $/, endingSpaceTabChar: /[ \t]$/, nonSpaceChar: /[^ ]/, newLineCharGlobal: /\n/g, tabCharGlobal: /\t/g, leadingSpaceTab: /^[ \t]+/, multipleSpaceGlobal: /\s+/g, blankLine: /^[ \t]*$/, doubleBlankLine: /\n[ \t]*\n[ \t]*$/, blockquoteStart: /^ {0,3}>/, blockquoteSetextReplace: /\n {0,3}((?:=+|-+)[ \t]*)(?=\n|$)/g, blockquoteSetextReplace2: /^ {0,3}>[ \t]?/gm, blockquoteMarkerWhitespace: /^( {0,3}>)(\t[ \t]*)/gm, nestedBlockMarker: /^ {0,3}(?:(?:[*+-]|\d{1,9}[.)])(?: |$)|> ?)/, listReplaceNesting: /^ {1,4}(?=( {4})*[^ ])/g, listIsTask: /^\[[ xX]\][ \t]+\S/, listReplaceTask: /^\[[ xX]\][ \t]+/, listTaskCheckbox: /\[[ xX]\]/, anyLine: /\n.*\n/, hrefBrackets: /^<(.*)>$/, tableDelimiter: /[:|]/, tableAlignChars: /^\||\| *$/g, tableRowBlankLine: /\n[ \t]*$/, tableAlignRight: /^ *-+: *$/, tableAlignCenter: /^ *:-+: *$/, tableAlignLeft: /^ *:-+ *$/, startATag: /^<a /i, endATag: /^<\/a>/i, startPreScriptTag: /^<(pre|code|kbd|script)(\s|>)/i, endPreScriptTag: /^<\/(pre|code|kbd|script)(\s|>)/i, startAngleBracket: /^</, endAngleBracket: />$/, pedanticHrefTitle: /^([^'"]*[^\s])\s+(['"])(.*)\2/, unicodeAlphaNumeric: /[\p{L}\p{N}]/u, numericCharacterReference: /&#(?:(\d{1,7})|[Xx]([A-Fa-f0-9]{1,6}));/, numericCharacterReferenceOrAmpersand: /&#(?:(\d{1,7})|[Xx]([A-Fa-f0-9]{1,6}));|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/g, escapeTest: /[&<>"']/, escapeReplace: /[&<>"']/g, escapeTestNoEncode: /[<>"']|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/, escapeReplaceNoEncode: /[<>"']|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/g, caret: /(^|[^\[])\^/g, percentDecode: /%25/g, findPipe: /\|/g, splitPipe: / \|/, slashPipe: /\\\|/g, carriageReturn: /\r\n|\r/g, spaceLine: /^ +$/gm, notSpaceStart: /^\S*/, endingNewline: /\n$/, listItemRegex: (l6) => new RegExp(`^( {0,3}${l6})((?:[	 ][^\\n]*)?(?:\\n|$))`), nextBulletRegex: D3((l6) => new RegExp(`^ {0,${l6}}(?:[*+-]|\\d{1,9}[.)])((?:[ 	][^\\n]*)?(?:\\n|$))`)), hrRegex: D3((l6) => new RegExp(`^ {0,${l6}}((?:-[ 	]*){3,}|(?:_[ 	]*){3,}|(?:\\*[ 	]*){3,})(?:\\n+|$)`)), fencesBeginRegex: D3((l6) => new RegExp(`^ {0,${l6}}(?:\`\`\`|~~~)`)), headingBeginRegex: D3((l6) => new RegExp(`^ {0,${l6}}#{1,6}(?:\\s|$)`)), pedanticHeadingBeginRegex: D3((l6) => new RegExp(`^ {0,${l6}}#`)), htmlBeginRegex: D3((l6) => new RegExp(`^ {0,${l6}}(?:</?(?:${he})(?:[ \\t]+|$|/?>)|<(?:(?:script|pre|style|textarea)(?:[\\s>]|$)|!--)|<\\?|<![A-Za-z]|<!\\[CDATA\\[)`, "i")), blockquoteBeginRegex: D3((l6) => new RegExp(`^ {0,${l6}}>`)), nestedContainerMarkers: /^(?: {0,3}(?:(?:[*+-]|\d{1,9}[.)])[ \t]+|>[ \t]?))+/ };
var Ge = /^(?:[ \t]*(?:\n|$))+/;
var Ne = /^((?: {4}| {0,3}\t)[^\n]+(?:\n(?:[ \t]*(?:\n|$))*)?)+/;
var Fe = /^ {0,3}(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})([^\n]*)(?:\n|$)(?:|([\s\S]*?)(?:\n|$))(?: {0,3}(?:(?=`)\1`*|(?=~)\1~*) *(?=\n|$)|$)/;
var V2 = /^ {0,3}((?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/;
var Qe = /^ {0,3}(#{1,6})(?=\s|$)(.*)(?:\n+|$)/;
var ce = / {0,3}(?:[*+-]|\d{1,9}[.)])/;
var he = "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul";
var J2 = g5(" {0,3}(?:</?(?:tag)(?:[ \\t]+|\\n|/?>)|<(?:(?:script|pre|style|textarea)(?:[\\s>]|$)|!--)|<\\?|<![A-Za-z]|<!\\[CDATA\\[)").replace("tag", he).getRegex();
var $e = /^(?!bull |blockCode|fences|blockquote|heading|html|table)((?:.|\n(?!\s*?\n|bull |fences|blockquote|heading|hr|html|table))+?)\n {0,3}(=+|-+)[ \t]*(?:\n+|$)/;
var Le = g5($e).replace(/bull/g, ce).replace(/blockCode/g, /(?: {4}| {0,3}\t)/).replace(/fences/g, / {0,3}(?:`{3,}|~{3,})/).replace(/blockquote/g, / {0,3}>/).replace(/heading/g, / {0,3}#{1,6}(?:\s|$)/).replace(/hr/g, / {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/).replace(/\|table/g, "").replace(/html/g, J2).getRegex();
var We = g5($e).replace(/bull/g, ce).replace(/blockCode/g, /(?: {4}| {0,3}\t)/).replace(/fences/g, / {0,3}(?:`{3,}|~{3,})/).replace(/blockquote/g, / {0,3}>/).replace(/heading/g, / {0,3}#{1,6}(?:\s|$)/).replace(/hr/g, / {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/).replace(/table/g, / {0,3}\|?(?:[:\- ]*\|)+[\:\- ]*\n/).replace(/html/g, J2).getRegex();
var de = /^([^\n]+(?:\n(?!hr|heading|lheading|blockquote|fences|list|html|table|[ \t]+\n)[^\n]+)*)/;
var Ue = /^[^\n]+/;
var ge = /(?!\s*\])(?:\\[\s\S]|[^\[\]\\\n]|\n(?![ \t]*\n))+/;
var Ke = g5(/^ {0,3}\[(label)\]: *(?:\n[ \t]*)?([^<\s][^\s]*|<(?:\\.|[^\n<>\\])*>)(?:(?: +(?:\n[ \t]*)?| *\n[ \t]*)(title))? *(?:\n+|$)/).replace("label", ge).replace("title", /(?:"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\\n]|\n(?!\n))*'|\((?:\\[\s\S]|[^()\\])*\))/).getRegex();
var Xe = g5(/^(bull)([ \t][^\n]*?)?(?:\n|$)/).replace(/bull/g, ce).getRegex();
var ke = /<!--(?:-?>|[\s\S]*?(?:-->|$))/;
var Ve = g5("^ {0,3}(?:<(script|pre|style|textarea)[\\s>][\\s\\S]*?(?:</\\1>[^\\n]*\\n*|$)|comment[^\\n]*(\\n+|$)|<\\?[\\s\\S]*?(?:\\?>[^\\n]*\\n*|$)|<![A-Z][\\s\\S]*?(?:>[^\\n]*\\n*|$)|<!\\[CDATA\\[[\\s\\S]*?(?:\\]\\]>[^\\n]*\\n*|$)|</?(tag)(?:[ \\t]+|\\n|/?>|$)[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$)|<(?!(?:script|pre|style|textarea)(?![a-z0-9-]))([a-z][a-z0-9-]*)(?:attribute)*?[ \\t]*/?>(?=[ \\t]*(?:\\n|$))[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$)|</[a-z][a-z0-9-]*\\s*>(?=[ \\t]*(?:\\n|$))[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$))", "i").replace("comment", ke).replace("tag", he).replace("attribute", /[ \t]+[a-zA-Z:_][\w.:-]*(?:[ \t]*=[ \t]*"[^"\n]*"|[ \t]*=[ \t]*'[^'\n]*'|[ \t]*=[ \t]*[^\s"'=<>`]+)?/).getRegex();
var Ce = (l6) => g5(de).replace("hr", V2).replace("heading", " {0,3}#{1,6}(?:\\s|$)").replace("|lheading", "").replace("|table", "").replace("blockquote", " {0,3}>").replace("fences", " {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list", l6).replace("html", J2).getRegex();
var Je = Ce(/ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t\n]/);
var Ye = Ce(/ {0,3}(?:[*+-]|\d{1,9}[.)])(?:[ \t]|\n|$)/);
var et = g5(/^( {0,3}> ?(?:(?![ \t]*(?:\n|$))(paragraph)|[^\n]*)(?:\n|$))+/).replace("paragraph", Ye).getRegex();
var fe = { blockquote: et, code: Ne, def: Ke, fences: Fe, heading: Qe, hr: V2, html: Ve, lheading: Le, list: Xe, newline: Ge, paragraph: Je, table: q2, text: Ue };
var Pe = g5("^ *([^\\n ].*)\\n {0,3}((?:\\| *)?:?-+:? *(?:\\| *:?-+:? *)*(?:\\| *)?)(?:\\n((?:(?! *\\n|hr|heading|blockquote|code|fences|list|html).*(?:\\n|$))*)\\n*|$)").replace("hr", V2).replace("heading", " {0,3}#{1,6}(?:\\s|$)").replace("blockquote", " {0,3}>").replace("code", "(?: {4}| {0,3}	)[^\\n]").replace("fences", " {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list", " {0,3}(?:[*+-]|1[.)])[ \\t]").replace("html", J2).getRegex();
var tt = { ...fe, lheading: We, table: Pe, paragraph: g5(de).replace("hr", V2).replace("heading", " {0,3}#{1,6}(?:\\s|$)").replace("|lheading", "").replace("table", Pe).replace("blockquote", " {0,3}>").replace("fences", " {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list", " {0,3}(?:[*+-]|1[.)])[ \\t]+[^ \\t\\n]").replace("html", J2).getRegex() };
var nt = { ...fe, html: g5(`^ *(?:comment(?: *\\n|\\s*$)|<(tag)[\\s\\S]+?</\\1>(?: *\\n{2,}|\\s*$)|<tag(?:"[^"]*"|'[^']*'|\\s[^'"/>\\s]*)*?/?>(?: *\\n{2,}|\\s*$))`).replace("comment", ke).replace(/tag/g, "(?!(?:a|em|strong|small|s|cite|q|dfn|abbr|data|time|code|var|samp|kbd|sub|sup|i|b|u|mark|ruby|rt|rp|bdi|bdo|span|br|wbr|ins|del|img)\\b)\\w+(?!:|[^\\w\\s@]*@)\\b").getRegex(), def: /^ *\[([^\]]+)\]: *<?([^\s>]+)>?(?: +(["(][^\n]+[")]))? *(?:\n+|$)/, heading: /^(#{1,6})(.*)(?:\n+|$)/, fences: q2, lheading: /^(.+?)\n {0,3}(=+|-+) *(?:\n+|$)/, paragraph: g5(de).replace("hr", V2).replace("heading", ` *#{1,6} *[^
]`).replace("|table", "").replace("blockquote", " {0,3}>").replace("|fences", "").replace("|list", "").replace("|html", "").replace("|tag", "").replace("lheading", Le).getRegex() };
var rt = /^\\([!"#$%&'()*+,\-./:;<=>?@\[\]\\^_`{|}~])/;
var st = /^(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/;
var Ie = /^( {2,}|\\)\n(?!\s*$)[ \t]*/;
var it = /^(`+|[^`])(?:(?= {2,}\n)|[\s\S]*?(?:(?=[\\<!\[`*_]|\b_|$)|[^ ](?= {2,}\n)))/;
var L2 = /[\p{P}\p{S}]/u;
var N2 = /[\s\p{P}\p{S}]/u;
var Y = /[^\s\p{P}\p{S}]/u;
var ot = g5(/^((?![*_])punctSpace)/, "u").replace(/punctSpace/g, N2).getRegex();
var at = /[\p{Pi}\p{Ps}"']/u;
var Ae = /(?!~)[\p{P}\p{S}]/u;
var lt = /(?!~)[\s\p{P}\p{S}]/u;
var ut = /(?:[^\s\p{P}\p{S}]|~)/u;
var pt = g5(/link|precode-code|html/, "g").replace("link", /\[(?:[^\[\]`]|(?<a>`+)[^`]+\k<a>(?!`))*?\]\((?:\\[\s\S]|[^\\\(\)]|\((?:\\[\s\S]|[^\\\(\)])*\))*\)/).replace("precode-", _e ? "(?<!`)()" : "(^^|[^`])").replace("code", /(?<b>`+)[^`]+\k<b>(?!`)/).replace("html", /<(?! )[^<>]*?>/).getRegex();
var Ee = /^(?:\*+(?:((?!\*)punct)|([^\s*]))?)|^_+(?:((?!_)punct)|([^\s_]))?/;
var ct = g5(Ee, "u").replace(/punct/g, L2).getRegex();
var ht = g5(Ee, "u").replace(/punct/g, Ae).getRegex();
var dt = /^(?:\*+(?:((?!\*)(?!openQuote)punct)|([^\s*]))?)|^_+(?:((?!_)(?!openQuote)punct)|([^\s_]))?/;
var gt = g5(dt, "u").replace(/openQuote/g, at).replace(/punct/g, L2).getRegex();
var ze = "^[^_*]*?__[^_*]*?\\*[^_*]*?(?=__)|[^*]+(?=[^*])|(?!\\*)punct(\\*+)(?=[\\s]|$)|notPunctSpace(\\*+)(?!\\*)(?=punctSpace|$)|(?!\\*)punctSpace(\\*+)(?=notPunctSpace)|[\\s](\\*+)(?!\\*)(?=punct)|(?!\\*)punct(\\*+)(?!\\*)(?=punct)|notPunctSpace(\\*+)(?=notPunctSpace)";
var kt = g5(ze, "gu").replace(/notPunctSpace/g, Y).replace(/punctSpace/g, N2).replace(/punct/g, L2).getRegex();
var ft = g5(ze, "gu").replace(/notPunctSpace/g, ut).replace(/punctSpace/g, lt).replace(/punct/g, Ae).getRegex();
var mt = "^[^_*]*?__[^_*]*?\\*[^_*]*?(?=__)|[^*]+(?=[^*])|(?!\\*)punct(\\*+)(?=[\\s]|$)|notPunctSpace(\\*+)(?!\\*)(?=punctSpace|$)|(?!\\*)[\\s](\\*+)(?=notPunctSpace)|[\\s](\\*+)(?!\\*)(?=punct)|(?!\\*)punct(\\*+)(?!\\*)(?=punct)|(?:(?!\\*)punct|notPunctSpace)(\\*+)(?!\\*)(?=notPunctSpace)";
var xt = g5(mt, "gu").replace(/notPunctSpace/g, Y).replace(/punctSpace/g, N2).replace(/punct/g, L2).getRegex();
var bt = g5("^[^_*]*?\\*\\*[^_*]*?_[^_*]*?(?=\\*\\*)|[^_]+(?=[^_])|(?!_)punct(_+)(?=[\\s]|$)|notPunctSpace(_+)(?!_)(?=punctSpace|$)|(?!_)punctSpace(_+)(?=notPunctSpace)|[\\s](_+)(?!_)(?=punct)|(?!_)punct(_+)(?!_)(?=punct)", "gu").replace(/notPunctSpace/g, Y).replace(/punctSpace/g, N2).replace(/punct/g, L2).getRegex();
var Rt = "^[^_*]*?\\*\\*[^_*]*?_[^_*]*?(?=\\*\\*)|[^_]+(?=[^_])|(?!_)punct(_+)(?=[\\s]|$)|notPunctSpace(_+)(?!_)(?=punctSpace|$)|(?!_)[\\s](_+)(?=notPunctSpace)|[\\s](_+)(?!_)(?=punct)|(?!_)punct(_+)(?!_)(?=punct)|(?:(?!_)punct|notPunctSpace)(_+)(?!_)(?=notPunctSpace)";
var Tt = g5(Rt, "gu").replace(/notPunctSpace/g, Y).replace(/punctSpace/g, N2).replace(/punct/g, L2).getRegex();
var Ot = g5(/^~~?(?:((?!~)punct)|[^\s~])/, "u").replace(/punct/g, L2).getRegex();
var wt = "^[^~]+(?=[^~])|(?!~)punct(~~?)(?=[\\s]|$)|notPunctSpace(~~?)(?!~)(?=punctSpace|$)|(?!~)punctSpace(~~?)(?=notPunctSpace)|[\\s](~~?)(?!~)(?=punct)|(?!~)punct(~~?)(?!~)(?=punct)|notPunctSpace(~~?)(?=notPunctSpace)";
var Pt = g5(wt, "gu").replace(/notPunctSpace/g, Y).replace(/punctSpace/g, N2).replace(/punct/g, L2).getRegex();
var yt = g5(/\\(punct)/, "gu").replace(/punct/g, L2).getRegex();
var St = g5(/(`+)(?:[^`]|[^`][\s\S]*?[^`])\1(?!`)|`+|\\(punct)/, "gu").replace(/punct/g, L2).getRegex();
var _t = g5(/^<(scheme:[^\s\x00-\x1f<>]*|email)>/).replace("scheme", /[a-zA-Z][a-zA-Z0-9+.-]{1,31}/).replace("email", /[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+(@)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+(?![-_])/).getRegex();
var $t = g5(ke).replace("(?:-->|$)", "-->").getRegex();
var Lt = g5("^comment|^</[a-zA-Z][a-zA-Z0-9-]*\\s*>|^<[a-zA-Z][a-zA-Z0-9-]*(?:attribute)*?\\s*/?>|^<\\?[\\s\\S]*?\\?>|^<![a-zA-Z]+\\s[\\s\\S]*?>|^<!\\[CDATA\\[[\\s\\S]*?\\]\\]>").replace("comment", $t).replace("attribute", /\s+[a-zA-Z:_][\w.:-]*(?:\s*=\s*"[^"]*"|\s*=\s*'[^']*'|\s*=\s*[^\s"'=<>`]+)?/).getRegex();
var Me = /\[(?:\\[\s\S]|[^\[\]\\])*\]/;
var ie = g5(/(?:\[(?:brackets|\\[\s\S]|[^\[\]\\])*\]|\\[\s\S]|`+(?!`)[^`]*?`+(?!`)|``+(?=\])|[^\[\]\\`])*?/).replace("brackets", Me).getRegex();
var Ct = g5(/^!?\[(label)\]\([ \t\n]*(href)(?:(?:[ \t]+(?:\n[ \t]*)?|\n[ \t]*)(title))?[ \t\n]*\)/).replace("label", ie).replace("href", /<(?:\\.|[^\n<>\\])*>|(?!<)[^ \t\n\x00-\x1f]+|(?=\))/).replace("title", /"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\((?:\\[\s\S]|[^)\\])*\)/).getRegex();
var It = g5(/^!?\[(label)\]\[(ref)\]/).replace("label", ie).replace("ref", ge).getRegex();
var At = g5(/^!?\[(ref)\](?:\[\])?/).replace("ref", ge).getRegex();
var ye = /(?!\s*\])(?:\\[\s\S]|[^\[\]\\]){1,999}/;
var Et = g5(/(?:[^\[\]\\`]*(?:\[(?:brackets|\\[\s\S]|[^\[\]\\])*\]|\\[\s\S]|`+(?!`)[^`]*?`+(?!`)|``+(?=\]))){0,999}?[^\[\]\\`]*?/).replace("brackets", Me).getRegex();
var zt = g5("reflink|nolink(?!\\()", "g").replace("reflink", g5(/^!?\[(label)\]\[(ref)\]/).replace("label", Et).replace("ref", ye).getRegex()).replace("nolink", g5(/^!?\[(ref)\](?:\[\])?/).replace("ref", ye).getRegex()).getRegex();
var Se = /[hH][tT][tT][pP][sS]?|[fF][tT][pP]/;
var Mt = /[A-Za-z0-9._+-]+@[a-zA-Z0-9-_]+(?:\.[a-zA-Z0-9-_]*[a-zA-Z0-9])+(?![\w-])/;
var Bt = g5(/(?:mailto:email|xmpp:email(?:\/[A-Za-z0-9@.]+)?)/).replace(/email/g, Mt).getRegex();
var me = { _backpedal: q2, anyPunctuation: yt, anyPunctuationOutsideCode: St, autolink: _t, blockSkip: pt, br: Ie, code: st, del: q2, delLDelim: q2, delRDelim: q2, emStrongLDelim: ct, emStrongRDelimAst: kt, emStrongRDelimUnd: bt, escape: rt, link: Ct, nolink: At, punctuation: ot, reflink: It, reflinkSearch: zt, tag: Lt, text: it, url: q2 };
var Dt = { ...me, emStrongLDelim: gt, emStrongRDelimAst: xt, emStrongRDelimUnd: Tt, link: g5(/^!?\[(label)\]\((.*?)\)/).replace("label", ie).getRegex(), reflink: g5(/^!?\[(label)\]\s*\[([^\]]*)\]/).replace("label", ie).getRegex() };
var pe = { ...me, emStrongRDelimAst: ft, emStrongLDelim: ht, delLDelim: Ot, delRDelim: Pt, url: g5(/^emailProtocol|^((?:protocol):\/\/|www\.)(?:[a-zA-Z0-9\-]+\.?)+[^\s<]*|^email/).replace("emailProtocol", Bt).replace("protocol", Se).replace("email", /[A-Za-z0-9._+-]+(@)[a-zA-Z0-9-_]+(?:\.[a-zA-Z0-9-_]*[a-zA-Z0-9])+(?![\w-])/).getRegex(), _backpedal: /(?:[^?!.,:;*_'"~()&]+|\([^)]*\)|&(?![a-zA-Z0-9]+;$)|[?!.,:;*_'"~)]+(?!$))+/, del: /^(~~?)(?=[^\s~])((?:\\[\s\S]|[^\\])*?(?:\\[\s\S]|[^\s~\\]))\1(?=[^~]|$)/, text: g5(/^(?:[^a-zA-Z0-9](?=emailProtocol)|(`+|~+|[^`~])(?:(?=[`~])|(?= {2,}\n)|(?=[a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-]+@)|[\s\S]*?(?:(?=[\\<!\[`*~_]|\b_|protocol:\/\/|wwwStart|$)|[^ ](?= {2,}\n)|[^a-zA-Z0-9](?=emailProtocol)|[^a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-](?=[a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-]+@))))/).replace("protocol", Se).replace(/emailProtocol/g, /(?:mailto|xmpp):/).replace("wwwStart", _e ? "(?<![^\\s*_~(])www\\." : "www\\.").getRegex() };
var qt = { ...pe, br: g5(Ie).replace("{2,}", "*").getRegex(), text: g5(pe.text).replace("\\b_", "\\b_| {2,}\\n").replace(/\{2,\}/g, "*").getRegex() };
var ee = { normal: fe, gfm: tt, pedantic: nt };
var F4 = { normal: me, gfm: pe, breaks: qt, pedantic: Dt };
var vt = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
var Be = (l6) => vt[l6];
function y5(l6, e4) {
  if (e4) {
    if (O2.escapeTest.test(l6)) return l6.replace(O2.escapeReplace, Be);
  } else if (O2.escapeTestNoEncode.test(l6)) return l6.replace(O2.escapeReplaceNoEncode, Be);
  return l6;
}
function De(l6) {
  return O2.numericCharacterReference.test(l6) ? l6.replace(O2.numericCharacterReferenceOrAmpersand, (e4, t4, n3) => {
    if (t4 === void 0 && n3 === void 0) return "&amp;";
    let r4 = t4 === void 0 ? Number.parseInt(n3, 16) : Number.parseInt(t4, 10);
    return r4 === 0 || r4 > 1114111 || r4 >= 55296 && r4 <= 57343 ? "�" : r4 === 38 ? "&amp;" : String.fromCodePoint(r4);
  }) : l6;
}
function xe(l6) {
  try {
    l6 = encodeURI(l6).replace(O2.percentDecode, "%");
  } catch {
    return null;
  }
  return l6;
}
function be(l6, e4) {
  let t4 = l6.replace(O2.findPipe, (s4, o5, i4) => {
    let a5 = false, c4 = o5;
    for (; --c4 >= 0 && i4[c4] === "\\"; ) a5 = !a5;
    return a5 ? "|" : " |";
  }), n3 = t4.split(O2.splitPipe), r4 = 0;
  if (n3[0].trim() || n3.shift(), n3.length > 0 && !n3.at(-1)?.trim() && n3.pop(), e4) if (n3.length > e4) n3.splice(e4);
  else for (; n3.length < e4; ) n3.push("");
  for (; r4 < n3.length; r4++) n3[r4] = n3[r4].trim().replace(O2.slashPipe, "|");
  return n3;
}
function C3(l6, e4, t4) {
  let n3 = l6.length;
  if (n3 === 0) return "";
  let r4 = 0;
  for (; r4 < n3; ) {
    let s4 = l6.charAt(n3 - r4 - 1);
    if (s4 === e4 && !t4) r4++;
    else if (s4 !== e4 && t4) r4++;
    else break;
  }
  return l6.slice(0, n3 - r4);
}
function Re(l6) {
  let e4 = l6.split(`
`), t4 = e4.length - 1;
  for (; t4 >= 0 && O2.blankLine.test(e4[t4]); ) t4--;
  return e4.length - t4 <= 2 ? l6 : e4.slice(0, t4 + 1).join(`
`);
}
function W(l6) {
  return l6.trim().replace(O2.multipleSpaceGlobal, " ").toLowerCase().toUpperCase().toLowerCase();
}
function Te(l6, e4) {
  if (l6.indexOf(e4[0]) === -1 && l6.indexOf(e4[1]) === -1) return -1;
  let t4 = 0;
  for (let n3 = 0; n3 < l6.length; n3++) if (l6[n3] === "\\") n3++;
  else if (l6[n3] === e4[0]) t4++;
  else if (l6[n3] === e4[1] && (t4--, t4 < 0)) return n3;
  return t4 > 0 ? -2 : -1;
}
var Q2 = /* @__PURE__ */ new WeakMap();
function Oe(l6) {
  let e4 = { "*": -1, _: -1 }, t4 = -1, n3 = l6.length;
  for (let r4 = 0; r4 < n3; r4++) {
    let s4 = l6[r4];
    if (s4 !== "*" && s4 !== "_" && s4 !== "~") continue;
    let o5 = r4 === 0 ? `
` : l6[r4 - 1], i4 = r4 + 1;
    for (; i4 < n3 && l6[i4] === s4; ) i4++;
    o5 !== " " && o5 !== "	" && o5 !== `
` && o5 !== "\r" && o5 !== "\f" && (s4 === "~" ? t4 = r4 : e4[s4] = r4), r4 = i4 - 1;
  }
  return { maskedSrc: l6, lastPossibleEmStrongCloserIndex: e4, lastPossibleDelCloserIndex: t4 };
}
function qe(l6, e4) {
  let t4 = Oe(e4), n3 = Q2.get(l6);
  n3 ? n3.push(t4) : Q2.set(l6, [t4]);
}
function ve(l6) {
  let e4 = Q2.get(l6);
  e4 && (e4.pop(), e4.length === 0 && Q2.delete(l6));
}
function oe(l6, e4, t4) {
  let n3 = Q2.get(l6)?.at(-1);
  return n3 && n3.maskedSrc === e4 ? n3.lastPossibleEmStrongCloserIndex[t4] : Oe(e4).lastPossibleEmStrongCloserIndex[t4];
}
function ae(l6, e4) {
  let t4 = Q2.get(l6)?.at(-1);
  return t4 && t4.maskedSrc === e4 ? t4.lastPossibleDelCloserIndex : Oe(e4).lastPossibleDelCloserIndex;
}
function te(l6, e4 = 0) {
  let t4 = e4, n3 = "";
  for (let r4 of l6) if (r4 === "	") {
    let s4 = 4 - t4 % 4;
    n3 += " ".repeat(s4), t4 += s4;
  } else n3 += r4, t4++;
  return n3;
}
function Ht(l6, e4) {
  let t4 = "";
  for (let n3 = 0; n3 < l6.length; n3++) {
    if (l6[n3] === "`") {
      let r4 = e4.inline.code.exec(l6.slice(n3));
      if (r4) {
        t4 += r4[0], n3 += r4[0].length - 1;
        continue;
      }
    }
    if (l6[n3] === "\\" && (l6[n3 + 1] === "[" || l6[n3 + 1] === "]")) {
      t4 += l6[n3 + 1], n3++;
      continue;
    }
    t4 += l6[n3];
  }
  return t4;
}
function He(l6, e4, t4, n3, r4) {
  let s4 = e4.href, o5 = e4.title || null, i4 = Ht(l6[1], r4), a5 = l6[0].charAt(0) === "!", c4 = n3.state.inLink, u4 = n3.state.linkEmitted, d5 = n3.state.inRawBlock;
  n3.state.inLink = true, n3.state.linkEmitted = false;
  let h5 = n3.inlineTokens(i4), p5 = n3.state.linkEmitted;
  if (n3.state.linkEmitted = u4, n3.state.inLink = c4, !a5) {
    if (p5) {
      n3.state.inRawBlock = d5;
      return;
    }
    n3.state.linkEmitted = true;
  }
  return { type: a5 ? "image" : "link", raw: t4, href: s4, title: o5, text: i4, tokens: h5 };
}
function Zt(l6, e4, t4) {
  let n3 = l6.match(t4.other.indentCodeCompensation);
  if (n3 === null) return e4;
  let r4 = n3[1];
  return e4.split(`
`).map((s4) => {
    let o5 = s4.match(t4.other.beginningSpace);
    if (o5 === null) return s4;
    let [i4] = o5;
    return s4.slice(Math.min(i4.length, r4.length));
  }).join(`
`);
}
function Ze(l6, e4, t4, n3) {
  if (!e4.includes("<")) return false;
  for (let r4 = 0; r4 < e4.length; r4++) {
    if (e4[r4] === "\\") {
      r4++;
      continue;
    }
    if (e4[r4] === "`") {
      let i4 = n3.inline.code.exec(e4.slice(r4));
      if (i4) {
        r4 += i4[0].length - 1;
        continue;
      }
    }
    if (e4[r4] !== "<") continue;
    let s4 = l6.slice(t4 + r4), o5 = n3.inline.tag.exec(s4) || n3.inline.autolink.exec(s4);
    if (o5) {
      if (o5[0].length > e4.length - r4) return true;
      r4 += o5[0].length - 1;
    }
  }
  return false;
}
var _4 = class {
  options;
  rules;
  lexer;
  constructor(e4) {
    this.options = e4 || S3;
  }
  space(e4) {
    let t4 = this.rules.block.newline.exec(e4);
    if (t4 && t4[0].length > 0) return { type: "space", raw: t4[0] };
  }
  code(e4) {
    let t4 = this.rules.block.code.exec(e4);
    if (t4) {
      let n3 = this.options.pedantic ? t4[0] : Re(t4[0]), r4 = n3.replace(this.rules.other.codeRemoveIndent, "");
      return { type: "code", raw: n3, codeBlockStyle: "indented", text: r4 };
    }
  }
  fences(e4) {
    let t4 = this.rules.block.fences.exec(e4);
    if (t4) {
      let n3 = t4[0], r4 = Zt(n3, t4[3] || "", this.rules);
      return t4[3] !== void 0 && (r4 === "" || r4.endsWith(`
`)) && (r4 += `
`), { type: "code", raw: n3, lang: t4[2] ? t4[2].trim().replace(this.rules.inline.anyPunctuation, "$1") : t4[2], text: r4 };
    }
  }
  heading(e4) {
    let t4 = this.rules.block.heading.exec(e4);
    if (t4) {
      let n3 = t4[2].trim();
      if (this.rules.other.endingHash.test(n3)) {
        let r4 = C3(n3, "#");
        (this.options.pedantic || !r4 || this.rules.other.endingSpaceTabChar.test(r4)) && (n3 = r4.trim());
      }
      return { type: "heading", raw: C3(t4[0], `
`), depth: t4[1].length, text: n3, tokens: this.lexer.inline(n3) };
    }
  }
  hr(e4) {
    let t4 = this.rules.block.hr.exec(e4);
    if (t4) return { type: "hr", raw: C3(t4[0], `
`) };
  }
  blockquote(e4) {
    let t4 = this.rules.block.blockquote.exec(e4);
    if (t4) {
      let n3 = C3(t4[0], `
`).split(`
`), r4 = "", s4 = "", o5 = [];
      for (; n3.length > 0; ) {
        let i4 = false, a5 = [], c4;
        for (c4 = 0; c4 < n3.length; c4++) if (this.rules.other.blockquoteStart.test(n3[c4])) a5.push(n3[c4]), i4 = true;
        else if (!i4) a5.push(n3[c4]);
        else break;
        n3 = n3.slice(c4);
        let u4 = a5.join(`
`), d5 = u4.replace(this.rules.other.blockquoteMarkerWhitespace, (k4, m5, b3) => b3.startsWith(" ") ? m5 + " " + b3.slice(1) : m5 + te(b3, m5.length)).replace(this.rules.other.blockquoteSetextReplace, `
    $1`).replace(this.rules.other.blockquoteSetextReplace2, "");
        r4 = r4 ? `${r4}
${u4}` : u4, s4 = s4 ? `${s4}
${d5}` : d5;
        let h5 = this.lexer.state.top;
        if (this.lexer.state.top = true, this.lexer.blockTokens(d5, o5, true), this.lexer.state.top = h5, n3.length === 0) break;
        let p5 = o5.at(-1);
        if (p5?.type === "code" || p5?.type === "heading" || p5?.type === "hr" || p5?.type === "html" || p5?.type === "table") break;
        if (p5?.type === "blockquote") {
          let k4 = p5, m5 = n3.join(`
`), b3 = k4.raw + `
` + m5.replace(this.rules.other.blockquoteSetextReplace2, ""), f5 = this.blockquote(b3);
          o5[o5.length - 1] = f5;
          let R = b3.substring(f5.raw.length).replace(/^\n/, ""), E4 = R ? R.split(`
`).length : 0, T4 = E4 ? n3.slice(0, -E4) : n3;
          if (T4.length > 0 && (r4 = `${r4}
${T4.join(`
`)}`), s4 = s4.substring(0, s4.length - k4.text.length) + f5.text, n3 = n3.slice(T4.length), n3.length > 0 && this.rules.other.blockquoteStart.test(n3[0])) continue;
          break;
        } else if (p5?.type === "list") {
          let k4 = p5, m5 = k4.raw + `
` + n3.join(`
`), b3 = this.list(m5);
          o5[o5.length - 1] = b3;
          let f5 = b3.raw.length > k4.raw.length ? m5.slice(k4.raw.length + 1, b3.raw.length).split(`
`).length : 0;
          if (f5 > 0) {
            let R = n3.slice(0, f5).join(`
`);
            r4 = `${r4}
${R}`, s4 = `${s4}
${R}`;
          }
          if (n3 = n3.slice(f5), n3.length > 0 && !this.rules.other.blockquoteStart.test(n3[0])) break;
          continue;
        }
      }
      return { type: "blockquote", raw: r4, tokens: o5, text: s4 };
    }
  }
  list(e4) {
    let t4 = this.rules.block.list.exec(e4);
    if (t4) {
      if (!this.options.pedantic && this.lexer.state.lastToken?.type === "text" && !this.rules.other.listInterruptsParagraph.test(e4)) return;
      let n3 = e4, r4 = () => n3.length - e4.length, s4 = t4[1].trim(), o5 = s4.length > 1, i4 = { type: "list", raw: "", ordered: o5, start: o5 ? +s4.slice(0, -1) : "", loose: false, items: [] };
      s4 = o5 ? `\\d{1,9}\\${s4.slice(-1)}` : `\\${s4}`, this.options.pedantic && (s4 = o5 ? s4 : "[*+-]");
      let a5 = this.rules.other.listItemRegex(s4), c4 = false;
      for (; e4; ) {
        let h5 = false, p5 = "";
        if (!(t4 = a5.exec(e4)) || this.rules.block.hr.test(e4)) break;
        let k4 = r4();
        e4 = e4.substring(t4[0].length);
        let m5 = t4[2].split(`
`, 1)[0], b3 = t4[1].length, f5 = this.options.pedantic ? te(m5, b3) : m5.replace(this.rules.other.leadingSpaceTab, (H2) => te(H2, b3)), R = e4.split(`
`, 1)[0], E4 = !f5.trim(), T4 = 0;
        if (this.options.pedantic ? (T4 = 2, p5 = f5.trimStart()) : E4 ? T4 = b3 + 1 : (T4 = f5.search(this.rules.other.nonSpaceChar), T4 = T4 > 4 ? 1 : T4, p5 = f5.slice(T4), T4 += b3), E4 && this.rules.other.blankLine.test(R) && (e4 = e4.substring(R.length + 1), h5 = true), !h5) {
          let H2 = this.rules.other.nextBulletRegex(T4), K2 = this.rules.other.hrRegex(T4), re = this.rules.other.fencesBeginRegex(T4), B3 = this.options.pedantic ? this.rules.other.pedanticHeadingBeginRegex(T4) : this.rules.other.headingBeginRegex(T4), X = this.rules.other.htmlBeginRegex(T4), se = this.rules.other.blockquoteBeginRegex(T4), le = false;
          for (; e4; ) {
            let we = e4.split(`
`, 1)[0], Z;
            if (R = we, this.options.pedantic ? (R = R.replace(this.rules.other.listReplaceNesting, "  "), Z = R) : Z = R.replace(this.rules.other.leadingSpaceTab, ($2) => te($2)), re.test(R) || B3.test(R) || X.test(R) || se.test(R) || H2.test(R) || K2.test(R)) break;
            if (Z.search(this.rules.other.nonSpaceChar) >= T4 || !R.trim()) p5 += `
` + Z.slice(T4), le = false;
            else {
              if (E4) break;
              let $2 = f5;
              if (!this.options.pedantic && !p5.includes(`
`) && !f5.includes("	")) {
                let j3;
                for (; !K2.test($2) && (j3 = this.rules.other.nestedBlockMarker.exec($2)); ) $2 = $2.slice(j3[0].length);
                if (!$2.trim()) break;
              }
              if ($2.replace(this.rules.other.tabCharGlobal, "    ").search(this.rules.other.nonSpaceChar) >= 4 || re.test($2) || B3.test($2) || X.test($2) || K2.test($2)) break;
              if (!this.options.pedantic && !le) {
                let j3 = f5.replace(this.rules.other.nestedContainerMarkers, "");
                if (this.rules.block.fences.test(j3) || this.rules.block.heading.test(j3) || this.rules.block.hr.test(j3)) break;
              }
              let je = !this.options.pedantic && /^ {0,3}(?:=+|-+) *$/.test(R) && this.rules.block.lheading.test(`${f5}
${R}`) ? `    ${Z.replace(/^ {0,3}/, "")}` : R;
              p5 += `
` + je, le = true;
            }
            E4 = !R.trim(), e4 = e4.substring(we.length + 1), f5 = Z.slice(T4);
          }
        }
        let U = n3.slice(k4, r4());
        i4.loose || (c4 ? i4.loose = true : this.rules.other.doubleBlankLine.test(U) && (c4 = true)), i4.items.push({ type: "list_item", raw: U, task: !!this.options.gfm && this.rules.other.listIsTask.test(p5), loose: false, text: p5, tokens: [] });
      }
      let u4 = i4.items.at(-1);
      if (u4) u4.raw = u4.raw.trimEnd(), u4.text = u4.text.trimEnd();
      else return;
      i4.raw = n3.slice(0, r4()).trimEnd();
      let d5 = [];
      for (let h5 of i4.items) if (this.lexer.state.top = false, d5.push(this.lexer.inlineQueue.length), h5.tokens = this.lexer.blockTokens(h5.text, []), !i4.loose) {
        let p5 = h5.tokens.filter((m5) => m5.type === "space"), k4 = p5.length > 0 && p5.some((m5) => this.rules.other.anyLine.test(m5.raw));
        i4.loose = k4;
      }
      for (let h5 = 0; h5 < i4.items.length; h5++) {
        let p5 = i4.items[h5], k4 = p5.tokens[0];
        if (p5.task && (k4?.type === "text" || k4?.type === "paragraph")) {
          p5.text = p5.text.replace(this.rules.other.listReplaceTask, ""), k4.raw = k4.raw.replace(this.rules.other.listReplaceTask, ""), k4.text = k4.text.replace(this.rules.other.listReplaceTask, "");
          let m5 = this.lexer.inlineQueue;
          for (let f5 = d5[h5]; f5 < m5.length; f5++) if (m5[f5].tokens === k4.tokens) {
            m5[f5].src = m5[f5].src.replace(this.rules.other.listReplaceTask, "");
            break;
          }
          let b3 = this.rules.other.listTaskCheckbox.exec(p5.raw);
          if (b3) {
            let f5 = { type: "checkbox", raw: b3[0] + " ", checked: b3[0] !== "[ ]" };
            p5.checked = f5.checked, i4.loose ? p5.tokens[0] && ["paragraph", "text"].includes(p5.tokens[0].type) && "tokens" in p5.tokens[0] && p5.tokens[0].tokens ? (p5.tokens[0].raw = f5.raw + p5.tokens[0].raw, p5.tokens[0].text = f5.raw + p5.tokens[0].text, p5.tokens[0].tokens.unshift(f5)) : p5.tokens.unshift({ type: "paragraph", raw: f5.raw, text: f5.raw, tokens: [f5] }) : p5.tokens.unshift(f5);
          }
        } else p5.task && (p5.task = false);
      }
      if (i4.loose) for (let h5 of i4.items) {
        h5.loose = true;
        for (let p5 of h5.tokens) p5.type === "text" && (p5.type = "paragraph");
      }
      return i4;
    }
  }
  html(e4) {
    let t4 = this.rules.block.html.exec(e4);
    if (t4) {
      if (this.lexer.state.lastToken?.type === "paragraph" && !this.rules.other.htmlBeginRegex(4).test(e4)) return;
      let n3 = Re(t4[0]);
      return { type: "html", block: true, raw: n3, pre: t4[1] === "pre" || t4[1] === "script" || t4[1] === "style", text: n3 };
    }
  }
  def(e4) {
    let t4 = this.rules.block.def.exec(e4);
    if (t4) {
      if (!this.rules.other.startAngleBracket.test(t4[2]) && Te(t4[2], "()") !== -1) return;
      let n3 = W(t4[1]), r4 = t4[2] ? t4[2].replace(this.rules.other.hrefBrackets, "$1").replace(this.rules.inline.anyPunctuation, "$1") : "", s4 = t4[3] ? t4[3].substring(1, t4[3].length - 1).replace(this.rules.inline.anyPunctuation, "$1") : t4[3];
      return { type: "def", tag: n3, raw: C3(t4[0], `
`), href: r4, title: s4 };
    }
  }
  table(e4) {
    let t4 = this.rules.block.table.exec(e4);
    if (!t4 || !this.rules.other.tableDelimiter.test(t4[2])) return;
    let n3 = be(t4[1]), r4 = t4[2].replace(this.rules.other.tableAlignChars, "").split("|"), s4 = t4[3]?.trim() ? t4[3].replace(this.rules.other.tableRowBlankLine, "").split(`
`) : [], o5 = { type: "table", raw: C3(t4[0], `
`), header: [], align: [], rows: [] };
    if (n3.length === r4.length) {
      for (let i4 of r4) this.rules.other.tableAlignRight.test(i4) ? o5.align.push("right") : this.rules.other.tableAlignCenter.test(i4) ? o5.align.push("center") : this.rules.other.tableAlignLeft.test(i4) ? o5.align.push("left") : o5.align.push(null);
      for (let i4 = 0; i4 < n3.length; i4++) o5.header.push({ text: n3[i4], tokens: this.lexer.inline(n3[i4]), header: true, align: o5.align[i4] });
      for (let i4 of s4) o5.rows.push(be(i4, o5.header.length).map((a5, c4) => ({ text: a5, tokens: this.lexer.inline(a5), header: false, align: o5.align[c4] })));
      return o5;
    }
  }
  lheading(e4) {
    let t4 = this.rules.block.lheading.exec(e4);
    if (t4) {
      let n3 = t4[1].trim();
      return { type: "heading", raw: C3(t4[0], `
`), depth: t4[2].charAt(0) === "=" ? 1 : 2, text: n3, tokens: this.lexer.inline(n3) };
    }
  }
  paragraph(e4) {
    let t4 = this.rules.block.paragraph.exec(e4);
    if (t4) {
      let n3 = t4[1].charAt(t4[1].length - 1) === `
` ? t4[1].slice(0, -1) : t4[1];
      return { type: "paragraph", raw: t4[0], text: n3, tokens: this.lexer.inline(n3) };
    }
  }
  text(e4) {
    let t4 = this.rules.block.text.exec(e4);
    if (t4) return { type: "text", raw: t4[0], text: t4[0], tokens: this.lexer.inline(t4[0]) };
  }
  escape(e4) {
    if (e4.charCodeAt(0) !== 92) return;
    let t4 = this.rules.inline.escape.exec(e4);
    if (t4) return { type: "escape", raw: t4[0], text: t4[1] };
  }
  tag(e4) {
    if (e4.charCodeAt(0) !== 60) return;
    let t4 = this.rules.inline.tag.exec(e4);
    if (t4) return !this.lexer.state.inLink && this.rules.other.startATag.test(t4[0]) ? this.lexer.state.inLink = true : this.lexer.state.inLink && this.rules.other.endATag.test(t4[0]) && (this.lexer.state.inLink = false), !this.lexer.state.inRawBlock && this.rules.other.startPreScriptTag.test(t4[0]) ? this.lexer.state.inRawBlock = true : this.lexer.state.inRawBlock && this.rules.other.endPreScriptTag.test(t4[0]) && (this.lexer.state.inRawBlock = false), { type: "html", raw: t4[0], inLink: this.lexer.state.inLink, inRawBlock: this.lexer.state.inRawBlock, block: false, text: t4[0] };
  }
  link(e4) {
    if (this.lexer.state.linkParenPossible === false) return;
    let t4 = e4.charCodeAt(0);
    if (t4 !== 91 && t4 !== 33) return;
    let n3 = this.rules.inline.link.exec(e4);
    if (n3) {
      let r4 = n3[0].charAt(0) === "!" ? 2 : 1;
      if (!this.options.pedantic && Ze(e4, n3[1], r4, this.rules)) return;
      let s4 = n3[2].trim();
      if (!this.options.pedantic && this.rules.other.startAngleBracket.test(s4)) {
        if (!this.rules.other.endAngleBracket.test(s4)) return;
        let c4 = C3(s4.slice(0, -1), "\\");
        if ((s4.length - c4.length) % 2 === 0) return;
      } else {
        let c4 = Te(n3[2], "()");
        if (c4 === -2) return;
        if (c4 > -1) {
          let d5 = (n3[0].indexOf("!") === 0 ? 5 : 4) + n3[1].length + c4;
          n3[2] = n3[2].substring(0, c4), n3[0] = n3[0].substring(0, d5).trim(), n3[3] = "";
        }
      }
      let o5 = C3(n3[0].slice(0, -1), "\\");
      if ((n3[0].length - o5.length) % 2 === 0) return;
      let i4 = n3[2], a5 = "";
      if (this.options.pedantic) {
        let c4 = this.rules.other.pedanticHrefTitle.exec(i4);
        c4 && (i4 = c4[1], a5 = c4[3]);
      } else a5 = n3[3] ? n3[3].slice(1, -1) : "";
      return i4 = i4.trim(), this.rules.other.startAngleBracket.test(i4) && (this.options.pedantic && !this.rules.other.endAngleBracket.test(s4) ? i4 = i4.slice(1) : i4 = i4.slice(1, -1)), He(n3, { href: i4 && i4.replace(this.rules.inline.anyPunctuation, "$1"), title: a5 && a5.replace(this.rules.inline.anyPunctuation, "$1") }, n3[0], this.lexer, this.rules);
    }
  }
  reflink(e4, t4) {
    let n3 = e4.charCodeAt(0);
    if (n3 !== 91 && n3 !== 33) return;
    let r4;
    if ((r4 = this.rules.inline.reflink.exec(e4)) || (r4 = this.rules.inline.nolink.exec(e4))) {
      let s4 = r4[0].charAt(0) === "!" ? 2 : 1;
      if (!this.options.pedantic && Ze(e4, r4[1], s4, this.rules)) return;
      let o5 = t4[W(r4[2] || r4[1])];
      if (!o5) {
        let i4 = r4[0].charAt(0);
        return { type: "text", raw: i4, text: i4 };
      }
      return He(r4, o5, r4[0], this.lexer, this.rules);
    }
  }
  emStrong(e4, t4, n3 = "") {
    let r4 = this.rules.inline.emStrongLDelim.exec(e4);
    if (!r4 || !r4[1] && !r4[2] && !r4[3] && !r4[4]) return;
    let s4 = r4[0][0], o5 = n3 === s4, i4 = t4.length - e4.length, a5 = i4;
    for (; !this.options.pedantic && a5 > 0 && t4[a5 - 1] === s4; ) a5--;
    let c4 = [...t4.slice(Math.max(0, a5 - 2), a5)].at(-1) ?? "", u4 = c4 === "*" || c4 === "_" || !!this.rules.inline.punctuation.exec(c4);
    a5 < i4 && (n3 = c4);
    let d5 = a5 < i4 ? u4 : n3 === "*" || n3 === "_" || !!this.rules.inline.punctuation.exec(n3);
    if (r4[4] && n3.match(this.rules.other.unicodeAlphaNumeric)) return;
    let h5 = r4[1] || r4[3] || "";
    if (!h5 || !n3 || d5) {
      let p5 = [...r4[0]].length - 1, k4, m5, b3 = p5, f5 = 0, R = i4 - a5 + p5, E4 = !this.options.pedantic && !!c4.trim() && (!!h5 || s4 === "*" && !u4);
      if (s4 !== "*" && s4 !== "_") return;
      let T4 = s4 === "*" ? this.rules.inline.emStrongRDelimAst : this.rules.inline.emStrongRDelimUnd, U = oe(this, t4, s4), H2 = t4.length - e4.length + p5;
      if (U < H2) return;
      t4 = t4.slice(-1 * e4.length + p5);
      let K2 = U - H2;
      for (T4.lastIndex = 0; (r4 = T4.exec(t4)) !== null && !(r4.index > K2); ) {
        if (k4 = r4[1] || r4[2] || r4[3] || r4[4] || r4[5] || r4[6], !k4) continue;
        if (m5 = [...k4].length, r4[3] || r4[4]) {
          b3 += m5;
          continue;
        } else if ((r4[5] || r4[6] || E4) && R % 3 && !((R + m5) % 3)) {
          if (o5 && (r4[5] || r4[6])) break;
          f5 += m5;
          continue;
        }
        if (b3 -= m5, b3 > 0) continue;
        m5 = Math.min(m5, m5 + b3 + f5);
        let re = [...r4[0]][0].length, B3 = e4.slice(0, p5 + r4.index + re + m5);
        if (Math.min(p5, m5) % 2) {
          let se = B3.slice(1, -1);
          return { type: "em", raw: B3, text: se, tokens: this.lexer.inlineTokens(se) };
        }
        let X = B3.slice(2, -2);
        return { type: "strong", raw: B3, text: X, tokens: this.lexer.inlineTokens(X) };
      }
    }
  }
  codespan(e4) {
    if (e4.charCodeAt(0) !== 96) return;
    let t4 = this.rules.inline.code.exec(e4);
    if (t4) {
      let n3 = t4[2].replace(this.rules.other.newLineCharGlobal, " "), r4 = this.rules.other.nonSpaceChar.test(n3), s4 = this.rules.other.startingSpaceChar.test(n3) && this.rules.other.endingSpaceChar.test(n3);
      return r4 && s4 && (n3 = n3.substring(1, n3.length - 1)), { type: "codespan", raw: t4[0], text: n3 };
    }
  }
  br(e4) {
    let t4 = e4.charCodeAt(0);
    if (t4 !== 32 && t4 !== 92 && t4 !== 10) return;
    let n3 = this.rules.inline.br.exec(e4);
    if (n3) return { type: "br", raw: n3[0] };
  }
  del(e4, t4, n3 = "") {
    if (e4.charCodeAt(0) !== 126) return;
    let r4 = this.rules.inline.delLDelim.exec(e4);
    if (!r4) return;
    if (!(r4[1] || "") || !n3 || this.rules.inline.punctuation.exec(n3)) {
      let o5 = [...r4[0]].length - 1, i4, a5, c4 = o5, u4 = this.rules.inline.delRDelim, d5 = ae(this, t4), h5 = t4.length - e4.length + o5;
      if (d5 < h5) return;
      t4 = t4.slice(-1 * e4.length + o5);
      let p5 = d5 - h5;
      for (u4.lastIndex = 0; (r4 = u4.exec(t4)) !== null && !(r4.index > p5); ) {
        if (i4 = r4[1] || r4[2] || r4[3] || r4[4] || r4[5] || r4[6], !i4 || (a5 = [...i4].length, a5 !== o5)) continue;
        if (r4[3] || r4[4]) {
          c4 += a5;
          continue;
        }
        if (c4 -= a5, c4 > 0) continue;
        a5 = Math.min(a5, a5 + c4);
        let k4 = [...r4[0]][0].length, m5 = e4.slice(0, o5 + r4.index + k4 + a5), b3 = m5.slice(o5, -o5);
        return { type: "del", raw: m5, text: b3, tokens: this.lexer.inlineTokens(b3) };
      }
    }
  }
  autolink(e4) {
    if (e4.charCodeAt(0) !== 60) return;
    let t4 = this.rules.inline.autolink.exec(e4);
    if (t4) {
      let n3, r4;
      return t4[2] === "@" ? (n3 = t4[1], r4 = "mailto:" + n3) : (n3 = t4[1], r4 = n3), { type: "link", raw: t4[0], text: n3, href: r4, autolink: true, tokens: [{ type: "text", raw: n3, text: n3 }] };
    }
  }
  url(e4) {
    let t4;
    if (t4 = this.rules.inline.url.exec(e4)) {
      let n3, r4;
      if (t4[2] === "@") n3 = t4[0], r4 = "mailto:" + n3;
      else {
        let s4;
        do
          s4 = t4[0], t4[0] = this.rules.inline._backpedal.exec(t4[0])?.[0] ?? "";
        while (s4 !== t4[0]);
        n3 = t4[0], t4[1] === "www." ? r4 = "http://" + t4[0] : r4 = t4[0];
      }
      return { type: "link", raw: t4[0], text: n3, href: r4, autolink: true, tokens: [{ type: "text", raw: n3, text: n3 }] };
    }
  }
  inlineText(e4) {
    let t4 = this.rules.inline.text.exec(e4);
    if (t4) {
      let n3 = this.lexer.state.inRawBlock;
      return { type: "text", raw: t4[0], text: n3 ? t4[0] : De(t4[0]), escaped: n3 };
    }
  }
};
var w5 = class l4 {
  tokens;
  options;
  state;
  inlineQueue;
  tokenizer;
  constructor(e4) {
    this.tokens = [], this.tokens.links = /* @__PURE__ */ Object.create(null), this.options = e4 || S3, this.options.tokenizer = this.options.tokenizer || new _4(), this.tokenizer = this.options.tokenizer, this.tokenizer.options = this.options, this.tokenizer.lexer = this, this.inlineQueue = [], this.state = { inLink: false, inRawBlock: false, linkEmitted: false, linkParenPossible: true, top: true };
    let t4 = { other: O2, block: ee.normal, inline: F4.normal };
    this.options.pedantic ? (t4.block = ee.pedantic, t4.inline = F4.pedantic) : this.options.gfm && (t4.block = ee.gfm, this.options.breaks ? t4.inline = F4.breaks : t4.inline = F4.gfm), this.tokenizer.rules = t4;
  }
  static get rules() {
    return { block: ee, inline: F4 };
  }
  static lex(e4, t4) {
    return new l4(t4).lex(e4);
  }
  static lexInline(e4, t4) {
    return new l4(t4).inlineTokens(e4);
  }
  lex(e4) {
    e4 = e4.replace(O2.carriageReturn, `
`), this.blockTokens(e4, this.tokens);
    for (let t4 = 0; t4 < this.inlineQueue.length; t4++) {
      let n3 = this.inlineQueue[t4];
      this.state.inRawBlock = false, this.inlineTokens(n3.src, n3.tokens);
    }
    return this.inlineQueue = [], this.tokens;
  }
  blockTokens(e4, t4 = [], n3 = false) {
    this.tokenizer.lexer = this;
    let r4 = this.state.lastToken;
    this.options.pedantic && (e4 = e4.replace(O2.tabCharGlobal, "    ").replace(O2.spaceLine, ""));
    let s4 = 1 / 0, o5, i4 = this.options.gfm && !this.options.pedantic && this.tokenizer.paragraph === _4.prototype.paragraph;
    for (; e4; ) {
      if (e4.length < s4) s4 = e4.length;
      else {
        this.infiniteLoopError(e4.charCodeAt(0));
        break;
      }
      this.state.lastToken = t4.at(-1);
      let a5;
      if (this.options.extensions?.block?.some((u4) => (a5 = u4.call({ lexer: this }, e4, t4)) ? (e4 = e4.substring(a5.raw.length), t4.push(a5), true) : false)) continue;
      if (a5 = this.tokenizer.space(e4)) {
        e4 = e4.substring(a5.raw.length);
        let u4 = t4.at(-1);
        a5.raw.length === 1 && u4 !== void 0 ? u4.raw += `
` : t4.push(a5);
        continue;
      }
      if (a5 = this.tokenizer.code(e4)) {
        e4 = e4.substring(a5.raw.length);
        let u4 = t4.at(-1);
        u4?.type === "paragraph" || u4?.type === "text" ? (u4.raw += (u4.raw.endsWith(`
`) ? "" : `
`) + a5.raw, u4.text += `
` + a5.text, this.inlineQueue.at(-1).src = u4.text) : t4.push(a5);
        continue;
      }
      if (a5 = this.tokenizer.fences(e4)) {
        e4 = e4.substring(a5.raw.length), t4.push(a5);
        continue;
      }
      if (a5 = this.tokenizer.heading(e4)) {
        e4 = e4.substring(a5.raw.length), t4.push(a5);
        continue;
      }
      if (a5 = this.tokenizer.hr(e4)) {
        e4 = e4.substring(a5.raw.length), t4.push(a5);
        continue;
      }
      if (a5 = this.tokenizer.blockquote(e4)) {
        e4 = e4.substring(a5.raw.length), t4.push(a5);
        continue;
      }
      if (a5 = this.tokenizer.list(e4)) {
        e4 = e4.substring(a5.raw.length), t4.push(a5);
        continue;
      }
      if (a5 = this.tokenizer.html(e4)) {
        e4 = e4.substring(a5.raw.length), t4.push(a5);
        continue;
      }
      if (a5 = this.tokenizer.def(e4)) {
        e4 = e4.substring(a5.raw.length);
        let u4 = t4.at(-1);
        u4?.type === "paragraph" || u4?.type === "text" ? (u4.raw += (u4.raw.endsWith(`
`) ? "" : `
`) + a5.raw, u4.text += `
` + a5.raw, this.inlineQueue.at(-1).src = u4.text) : (this.tokens.links[a5.tag] || (this.tokens.links[a5.tag] = { href: a5.href, title: a5.title }), t4.push(a5));
        continue;
      }
      if (a5 = this.tokenizer.table(e4)) {
        e4 = e4.substring(a5.raw.length), t4.push(a5);
        continue;
      }
      if (a5 = this.tokenizer.lheading(e4)) {
        e4 = e4.substring(a5.raw.length), t4.push(a5);
        continue;
      }
      let c4 = e4;
      if (this.options.extensions?.startBlock) {
        let u4 = 1 / 0, d5 = e4.slice(1), h5;
        this.options.extensions.startBlock.forEach((p5) => {
          h5 = p5.call({ lexer: this }, d5), typeof h5 == "number" && h5 >= 0 && (u4 = Math.min(u4, h5));
        }), u4 < 1 / 0 && u4 >= 0 && (c4 = e4.substring(0, u4 + 1));
      }
      if (this.state.top && (a5 = this.tokenizer.paragraph(c4))) {
        let u4 = t4.at(-1);
        (n3 || u4 === o5 && i4) && u4?.type === "paragraph" ? (u4.raw += (u4.raw.endsWith(`
`) ? "" : `
`) + a5.raw, u4.text += `
` + a5.text, this.inlineQueue.pop(), this.inlineQueue.at(-1).src = u4.text, o5 = u4) : (t4.push(a5), o5 = a5), n3 = c4.length !== e4.length, e4 = e4.substring(a5.raw.length);
        continue;
      }
      if (a5 = this.tokenizer.text(e4)) {
        e4 = e4.substring(a5.raw.length);
        let u4 = t4.at(-1);
        u4?.type === "text" ? (u4.raw += (u4.raw.endsWith(`
`) ? "" : `
`) + a5.raw, u4.text += `
` + a5.text, this.inlineQueue.pop(), this.inlineQueue.at(-1).src = u4.text) : t4.push(a5);
        continue;
      }
      if (e4) {
        this.infiniteLoopError(e4.charCodeAt(0));
        break;
      }
    }
    return this.state.top = true, this.state.lastToken = r4, t4;
  }
  inline(e4, t4 = []) {
    return this.inlineQueue.push({ src: e4, tokens: t4 }), t4;
  }
  linkInText(e4) {
    if (!e4.includes("[")) return false;
    let t4 = this.tokenizer.rules.inline.link;
    for (let n3 of e4.matchAll(this.tokenizer.rules.inline.blockSkip)) if (t4.test(n3[0]) && e4.charAt(n3.index - 1) !== "!") return true;
    for (let n3 of e4.matchAll(this.tokenizer.rules.inline.reflinkSearch)) {
      let r4 = n3[0], s4 = r4.lastIndexOf("[");
      if (!(r4.charAt(0) === "!" || !Object.hasOwn(this.tokens.links, W(r4.slice(s4 + 1, -1)))) && !(s4 > 1 && this.linkInText(r4.slice(1, s4 - 1)))) return true;
    }
    return false;
  }
  inlineTokens(e4, t4 = []) {
    this.tokenizer.lexer = this;
    let n3 = this.state.linkParenPossible;
    this.state.linkParenPossible = e4.includes(")");
    try {
      return this.#t(e4, t4);
    } finally {
      this.state.linkParenPossible = n3;
    }
  }
  #t(e4, t4) {
    let n3 = e4.includes("*") || e4.includes("_") || e4.includes("~"), r4 = n3 || this.options.hooks?.emStrongMask || this.tokenizer.emStrong !== _4.prototype.emStrong || this.tokenizer.del !== _4.prototype.del ? this.#r(e4) : e4;
    if (!n3) return this.#e(e4, r4, t4);
    qe(this.tokenizer, r4);
    try {
      return this.#e(e4, r4, t4);
    } finally {
      ve(this.tokenizer);
    }
  }
  #e(e4, t4, n3) {
    let r4 = false, s4 = "", o5 = 1 / 0;
    for (; e4; ) {
      if (e4.length < o5) o5 = e4.length;
      else {
        this.infiniteLoopError(e4.charCodeAt(0));
        break;
      }
      r4 || (s4 = ""), r4 = false;
      let i4;
      if (this.options.extensions?.inline?.some((u4) => (i4 = u4.call({ lexer: this }, e4, n3)) ? (e4 = e4.substring(i4.raw.length), n3.push(i4), true) : false)) continue;
      if (i4 = this.tokenizer.escape(e4)) {
        e4 = e4.substring(i4.raw.length), n3.push(i4);
        continue;
      }
      if (i4 = this.tokenizer.tag(e4)) {
        e4 = e4.substring(i4.raw.length), n3.push(i4);
        continue;
      }
      if (i4 = this.tokenizer.link(e4)) {
        e4 = e4.substring(i4.raw.length), n3.push(i4);
        continue;
      }
      if (i4 = this.tokenizer.reflink(e4, this.tokens.links)) {
        e4 = e4.substring(i4.raw.length);
        let u4 = n3.at(-1);
        i4.type === "text" && u4?.type === "text" ? (u4.raw += i4.raw, u4.text += i4.text) : n3.push(i4);
        continue;
      }
      let a5 = e4[0];
      if (a5 === "*" || a5 === "_") {
        let u4 = t4.length - e4.length;
        if (oe(this.tokenizer, t4, a5) <= u4) {
          let h5 = 1;
          for (; h5 < e4.length && e4.charCodeAt(h5) === a5.charCodeAt(0); ) h5++;
          let p5 = e4.substring(0, h5), k4 = n3.at(-1);
          k4?.type === "text" && !k4.escaped ? (k4.raw += p5, k4.text += p5) : n3.push({ type: "text", raw: p5, text: p5, escaped: false }), e4 = e4.substring(h5), s4 = a5, r4 = true;
          continue;
        }
      } else if (a5 === "~") {
        let u4 = t4.length - e4.length;
        if (ae(this.tokenizer, t4) <= u4) {
          let h5 = 1;
          for (; h5 < e4.length && e4.charCodeAt(h5) === 126; ) h5++;
          let p5 = e4.substring(0, h5), k4 = n3.at(-1);
          k4?.type === "text" && !k4.escaped ? (k4.raw += p5, k4.text += p5) : n3.push({ type: "text", raw: p5, text: p5, escaped: false }), e4 = e4.substring(h5), s4 = a5, r4 = true;
          continue;
        }
      }
      if (i4 = this.tokenizer.emStrong(e4, t4, s4)) {
        e4 = e4.substring(i4.raw.length), n3.push(i4);
        continue;
      }
      if (i4 = this.tokenizer.codespan(e4)) {
        e4 = e4.substring(i4.raw.length), n3.push(i4);
        continue;
      }
      if (i4 = this.tokenizer.br(e4)) {
        e4 = e4.substring(i4.raw.length), n3.push(i4);
        continue;
      }
      if (i4 = this.tokenizer.del(e4, t4, s4)) {
        e4 = e4.substring(i4.raw.length), n3.push(i4);
        continue;
      }
      if (i4 = this.tokenizer.autolink(e4)) {
        e4 = e4.substring(i4.raw.length), n3.push(i4);
        continue;
      }
      if (!this.state.inLink && (i4 = this.tokenizer.url(e4))) {
        e4 = e4.substring(i4.raw.length), n3.push(i4);
        continue;
      }
      let c4 = e4;
      if (this.options.extensions?.startInline) {
        let u4 = 1 / 0, d5 = e4.slice(1), h5;
        this.options.extensions.startInline.forEach((p5) => {
          h5 = p5.call({ lexer: this }, d5), typeof h5 == "number" && h5 >= 0 && (u4 = Math.min(u4, h5));
        }), u4 < 1 / 0 && u4 >= 0 && (c4 = e4.substring(0, u4 + 1));
      }
      if (i4 = this.tokenizer.inlineText(c4)) {
        e4 = e4.substring(i4.raw.length), i4.raw.slice(-1) !== "_" && (s4 = i4.raw.slice(-1)), r4 = true;
        let u4 = n3.at(-1);
        u4?.type === "text" ? (u4.raw += i4.raw, u4.text += i4.text) : n3.push(i4);
        continue;
      }
      if (e4) {
        this.infiniteLoopError(e4.charCodeAt(0));
        break;
      }
    }
    return n3;
  }
  #n(e4) {
    let { blockSkip: t4, tag: n3, autolink: r4 } = this.tokenizer.rules.inline, s4 = "", o5 = 0, i4;
    for (t4.lastIndex = 0; i4 = t4.exec(e4); ) {
      let a5 = i4.index + (i4[2] ? i4[2].length : 0), c4 = i4.index + i4[0].length;
      if (e4.charAt(a5) === "<") {
        let u4 = e4.slice(a5), d5 = n3.exec(u4) || r4.exec(u4);
        if (!d5) {
          t4.lastIndex = a5 + 1;
          continue;
        }
        c4 = a5 + d5[0].length, t4.lastIndex = c4;
      }
      s4 += e4.slice(o5, a5) + "[" + "a".repeat(c4 - a5 - 2) + "]", o5 = c4;
    }
    return s4 + e4.slice(o5);
  }
  #r(e4) {
    let t4 = e4;
    if (this.tokens.links && e4.includes("[")) {
      let n3 = this.tokenizer.rules.inline.reflinkSearch, r4 = (s4) => {
        let o5 = s4.lastIndexOf("[");
        if (!Object.hasOwn(this.tokens.links, W(s4.slice(o5 + 1, -1)))) return s4;
        if (o5 > 1 && s4.charAt(0) !== "!") {
          let i4 = s4.slice(1, o5 - 1);
          if (this.linkInText(i4)) return "[" + i4.replace(n3, r4) + "][" + "a".repeat(s4.length - o5 - 2) + "]";
        }
        return "[" + "a".repeat(s4.length - 2) + "]";
      };
      t4 = t4.replace(n3, r4);
    }
    return t4 = t4.replace(this.tokenizer.rules.inline.anyPunctuationOutsideCode, (n3, r4, s4) => s4 ? "+".repeat(n3.length) : r4 ? r4 + n3.slice(r4.length, -r4.length).replace(/`/g, "+") + r4 : n3), t4 = this.#n(t4), t4 = this.options.hooks?.emStrongMask?.call({ lexer: this }, t4) ?? t4, t4;
  }
  infiniteLoopError(e4) {
    let t4 = "Infinite loop on byte: " + e4;
    if (this.options.silent) console.error(t4);
    else throw new Error(t4);
  }
};
var I2 = class {
  options;
  parser;
  constructor(e4) {
    this.options = e4 || S3;
  }
  space(e4) {
    return "";
  }
  code({ text: e4, lang: t4, escaped: n3 }) {
    let r4 = (t4 || "").match(O2.notSpaceStart)?.[0], s4 = e4 ? e4.replace(O2.endingNewline, "") + `
` : "";
    return r4 ? '<pre><code class="language-' + y5(r4) + '">' + (n3 ? s4 : y5(s4, true)) + `</code></pre>
` : "<pre><code>" + (n3 ? s4 : y5(s4, true)) + `</code></pre>
`;
  }
  blockquote({ tokens: e4 }) {
    return `<blockquote>
${this.parser.parse(e4)}</blockquote>
`;
  }
  html({ text: e4 }) {
    return e4;
  }
  def(e4) {
    return "";
  }
  heading({ tokens: e4, depth: t4 }) {
    return `<h${t4}>${this.parser.parseInline(e4)}</h${t4}>
`;
  }
  hr(e4) {
    return `<hr>
`;
  }
  list(e4) {
    let t4 = e4.ordered, n3 = e4.start, r4 = "";
    for (let i4 = 0; i4 < e4.items.length; i4++) {
      let a5 = e4.items[i4];
      r4 += this.listitem(a5);
    }
    let s4 = t4 ? "ol" : "ul", o5 = t4 && n3 !== 1 ? ' start="' + n3 + '"' : "";
    return "<" + s4 + o5 + `>
` + r4 + "</" + s4 + `>
`;
  }
  listitem(e4) {
    return `<li>${this.parser.parse(e4.tokens)}</li>
`;
  }
  checkbox({ checked: e4 }) {
    return "<input " + (e4 ? 'checked="" ' : "") + 'disabled="" type="checkbox"> ';
  }
  paragraph({ tokens: e4 }) {
    return `<p>${this.parser.parseInline(e4)}</p>
`;
  }
  table(e4) {
    let t4 = "", n3 = "";
    for (let s4 = 0; s4 < e4.header.length; s4++) n3 += this.tablecell(e4.header[s4]);
    t4 += this.tablerow({ text: n3 });
    let r4 = "";
    for (let s4 = 0; s4 < e4.rows.length; s4++) {
      let o5 = e4.rows[s4];
      n3 = "";
      for (let i4 = 0; i4 < o5.length; i4++) n3 += this.tablecell(o5[i4]);
      r4 += this.tablerow({ text: n3 });
    }
    return r4 && (r4 = `<tbody>${r4}</tbody>`), `<table>
<thead>
` + t4 + `</thead>
` + r4 + `</table>
`;
  }
  tablerow({ text: e4 }) {
    return `<tr>
${e4}</tr>
`;
  }
  tablecell(e4) {
    let t4 = this.parser.parseInline(e4.tokens), n3 = e4.header ? "th" : "td";
    return (e4.align ? `<${n3} align="${e4.align}">` : `<${n3}>`) + t4 + `</${n3}>
`;
  }
  strong({ tokens: e4 }) {
    return `<strong>${this.parser.parseInline(e4)}</strong>`;
  }
  em({ tokens: e4 }) {
    return `<em>${this.parser.parseInline(e4)}</em>`;
  }
  codespan({ text: e4 }) {
    return `<code>${y5(e4, true)}</code>`;
  }
  br(e4) {
    return "<br>";
  }
  del({ tokens: e4 }) {
    return `<del>${this.parser.parseInline(e4)}</del>`;
  }
  link({ href: e4, title: t4, text: n3, tokens: r4, autolink: s4 }) {
    let o5 = s4 ? y5(n3, true) : this.parser.parseInline(r4), i4 = xe(e4);
    if (i4 === null) return o5;
    e4 = y5(i4, s4);
    let a5 = '<a href="' + e4 + '"';
    return t4 && (a5 += ' title="' + y5(t4) + '"'), a5 += ">" + o5 + "</a>", a5;
  }
  image({ href: e4, title: t4, text: n3, tokens: r4 }) {
    r4 && (n3 = this.parser.parseInline(r4, this.parser.textRenderer));
    let s4 = xe(e4);
    if (s4 === null) return y5(n3);
    e4 = s4;
    let o5 = `<img src="${y5(e4)}" alt="${y5(n3)}"`;
    return t4 && (o5 += ` title="${y5(t4)}"`), o5 += ">", o5;
  }
  text(e4) {
    return "tokens" in e4 && e4.tokens ? this.parser.parseInline(e4.tokens) : "escaped" in e4 && e4.escaped ? e4.text : y5(e4.text);
  }
};
var z3 = class {
  parser;
  strong({ text: e4, tokens: t4 }) {
    return t4 ? this.parser.parseInline(t4, this) : e4;
  }
  em({ text: e4, tokens: t4 }) {
    return t4 ? this.parser.parseInline(t4, this) : e4;
  }
  codespan({ text: e4 }) {
    return e4;
  }
  del({ text: e4, tokens: t4 }) {
    return t4 ? this.parser.parseInline(t4, this) : e4;
  }
  html({ text: e4 }) {
    return e4;
  }
  text({ text: e4 }) {
    return e4;
  }
  link({ text: e4, tokens: t4 }) {
    return t4 ? this.parser.parseInline(t4, this) : e4;
  }
  image({ text: e4, tokens: t4 }) {
    return t4 ? this.parser.parseInline(t4, this) : e4;
  }
  br() {
    return `
`;
  }
  checkbox({ raw: e4 }) {
    return e4;
  }
};
var P2 = class l5 {
  options;
  renderer;
  textRenderer;
  constructor(e4) {
    this.options = e4 || S3, this.options.renderer = this.options.renderer || new I2(), this.renderer = this.options.renderer, this.renderer.options = this.options, this.renderer.parser = this, this.textRenderer = new z3(), this.textRenderer.parser = this;
  }
  static parse(e4, t4) {
    return new l5(t4).parse(e4);
  }
  static parseInline(e4, t4) {
    return new l5(t4).parseInline(e4);
  }
  parse(e4) {
    this.renderer.parser = this;
    let t4 = "";
    for (let n3 = 0; n3 < e4.length; n3++) {
      let r4 = e4[n3];
      if (this.options.extensions?.renderers?.[r4.type]) {
        let o5 = r4, i4 = this.options.extensions.renderers[o5.type].call({ parser: this }, o5);
        if (i4 !== false || !["space", "hr", "heading", "code", "table", "blockquote", "list", "checkbox", "html", "def", "paragraph", "text"].includes(o5.type)) {
          t4 += i4 === false ? "" : i4 ?? "";
          continue;
        }
      }
      let s4 = r4;
      switch (s4.type) {
        case "space": {
          t4 += this.renderer.space(s4);
          break;
        }
        case "hr": {
          t4 += this.renderer.hr(s4);
          break;
        }
        case "heading": {
          t4 += this.renderer.heading(s4);
          break;
        }
        case "code": {
          t4 += this.renderer.code(s4);
          break;
        }
        case "table": {
          t4 += this.renderer.table(s4);
          break;
        }
        case "blockquote": {
          t4 += this.renderer.blockquote(s4);
          break;
        }
        case "list": {
          t4 += this.renderer.list(s4);
          break;
        }
        case "checkbox": {
          t4 += this.renderer.checkbox(s4);
          break;
        }
        case "html": {
          t4 += this.renderer.html(s4);
          break;
        }
        case "def": {
          t4 += this.renderer.def(s4);
          break;
        }
        case "paragraph": {
          t4 += this.renderer.paragraph(s4);
          break;
        }
        case "text": {
          t4 += this.renderer.text(s4);
          break;
        }
        default: {
          let o5 = 'Token with "' + s4.type + '" type was not found.';
          if (this.options.silent) return console.error(o5), "";
          throw new Error(o5);
        }
      }
    }
    return t4;
  }
  parseInline(e4, t4 = this.renderer) {
    this.renderer.parser = this;
    let n3 = "";
    for (let r4 = 0; r4 < e4.length; r4++) {
      let s4 = e4[r4];
      if (this.options.extensions?.renderers?.[s4.type]) {
        let i4 = this.options.extensions.renderers[s4.type].call({ parser: this }, s4);
        if (i4 !== false || !["escape", "html", "link", "image", "checkbox", "strong", "em", "codespan", "br", "del", "text"].includes(s4.type)) {
          n3 += i4 === false ? "" : i4 ?? "";
          continue;
        }
      }
      let o5 = s4;
      switch (o5.type) {
        case "escape": {
          n3 += t4.text(o5);
          break;
        }
        case "html": {
          n3 += t4.html(o5);
          break;
        }
        case "link": {
          n3 += t4.link(o5);
          break;
        }
        case "image": {
          n3 += t4.image(o5);
          break;
        }
        case "checkbox": {
          n3 += t4.checkbox(o5);
          break;
        }
        case "strong": {
          n3 += t4.strong(o5);
          break;
        }
        case "em": {
          n3 += t4.em(o5);
          break;
        }
        case "codespan": {
          n3 += t4.codespan(o5);
          break;
        }
        case "br": {
          n3 += t4.br(o5);
          break;
        }
        case "del": {
          n3 += t4.del(o5);
          break;
        }
        case "text": {
          n3 += t4.text(o5);
          break;
        }
        default: {
          let i4 = 'Token with "' + o5.type + '" type was not found.';
          if (this.options.silent) return console.error(i4), "";
          throw new Error(i4);
        }
      }
    }
    return n3;
  }
};
var A4 = class {
  options;
  block;
  constructor(e4) {
    this.options = e4 || S3;
  }
  static passThroughHooks = /* @__PURE__ */ new Set(["preprocess", "postprocess", "processAllTokens", "emStrongMask"]);
  static passThroughHooksRespectAsync = /* @__PURE__ */ new Set(["preprocess", "postprocess", "processAllTokens"]);
  preprocess(e4) {
    return e4;
  }
  postprocess(e4) {
    return e4;
  }
  processAllTokens(e4) {
    return e4;
  }
  emStrongMask(e4) {
    return e4;
  }
  provideLexer(e4 = this.block) {
    return e4 ? w5.lex : w5.lexInline;
  }
  provideParser(e4 = this.block) {
    return e4 ? P2.parse : P2.parseInline;
  }
};
function M2(l6, e4) {
  if (Array.isArray(e4)) for (let t4 = 0; t4 < e4.length; t4++) l6.push(e4[t4]);
  else l6.push(e4);
}
var ne = class {
  defaults = G3();
  options = this.setOptions;
  parse = this.parseMarkdown(true);
  parseInline = this.parseMarkdown(false);
  Parser = P2;
  Renderer = I2;
  TextRenderer = z3;
  Lexer = w5;
  Tokenizer = _4;
  Hooks = A4;
  constructor(...e4) {
    this.use(...e4);
  }
  walkTokens(e4, t4) {
    let n3 = [];
    for (let r4 of e4) switch (M2(n3, t4.call(this, r4)), r4.type) {
      case "table": {
        let s4 = r4;
        for (let o5 of s4.header) M2(n3, this.walkTokens(o5.tokens, t4));
        for (let o5 of s4.rows) for (let i4 of o5) M2(n3, this.walkTokens(i4.tokens, t4));
        break;
      }
      case "list": {
        let s4 = r4;
        M2(n3, this.walkTokens(s4.items, t4));
        break;
      }
      default: {
        let s4 = r4;
        this.defaults.extensions?.childTokens?.[s4.type] ? this.defaults.extensions.childTokens[s4.type].forEach((o5) => {
          let i4 = s4[o5].flat(1 / 0);
          M2(n3, this.walkTokens(i4, t4));
        }) : s4.tokens && M2(n3, this.walkTokens(s4.tokens, t4));
      }
    }
    return n3;
  }
  use(...e4) {
    let t4 = this.defaults.extensions || { renderers: /* @__PURE__ */ Object.create(null), childTokens: /* @__PURE__ */ Object.create(null) };
    return e4.forEach((n3) => {
      let r4 = { ...n3 };
      if (r4.async = this.defaults.async || r4.async || false, n3.extensions && (n3.extensions.forEach((s4) => {
        if (!s4.name) throw new Error("extension name required");
        if ("renderer" in s4) {
          let o5 = t4.renderers[s4.name];
          o5 ? t4.renderers[s4.name] = function(...i4) {
            let a5 = s4.renderer.apply(this, i4);
            return a5 === false && (a5 = o5.apply(this, i4)), a5;
          } : t4.renderers[s4.name] = s4.renderer;
        }
        if ("tokenizer" in s4) {
          if (!s4.level || s4.level !== "block" && s4.level !== "inline") throw new Error("extension level must be 'block' or 'inline'");
          let o5 = t4[s4.level];
          o5 ? o5.unshift(s4.tokenizer) : t4[s4.level] = [s4.tokenizer], s4.start && (s4.level === "block" ? t4.startBlock ? t4.startBlock.push(s4.start) : t4.startBlock = [s4.start] : s4.level === "inline" && (t4.startInline ? t4.startInline.push(s4.start) : t4.startInline = [s4.start]));
        }
        "childTokens" in s4 && s4.childTokens && (t4.childTokens[s4.name] = s4.childTokens);
      }), r4.extensions = t4), n3.renderer) {
        let s4 = this.defaults.renderer || new I2(this.defaults);
        for (let o5 in n3.renderer) {
          if (!(o5 in s4)) throw new Error(`renderer '${o5}' does not exist`);
          if (["options", "parser"].includes(o5)) continue;
          let i4 = o5, a5 = n3.renderer[i4], c4 = s4[i4];
          s4[i4] = (...u4) => {
            let d5 = a5.apply(s4, u4);
            return d5 === false && (d5 = c4.apply(s4, u4)), d5 === false ? "" : d5 ?? "";
          };
        }
        r4.renderer = s4;
      }
      if (n3.tokenizer) {
        let s4 = this.defaults.tokenizer || new _4(this.defaults);
        for (let o5 in n3.tokenizer) {
          if (!(o5 in s4)) throw new Error(`tokenizer '${o5}' does not exist`);
          if (["options", "rules", "lexer"].includes(o5)) continue;
          let i4 = o5, a5 = n3.tokenizer[i4], c4 = s4[i4];
          s4[i4] = (...u4) => {
            let d5 = a5.apply(s4, u4);
            return d5 === false && (d5 = c4.apply(s4, u4)), d5;
          };
        }
        r4.tokenizer = s4;
      }
      if (n3.hooks) {
        let s4 = this.defaults.hooks || new A4();
        for (let o5 in n3.hooks) {
          if (!(o5 in s4)) throw new Error(`hook '${o5}' does not exist`);
          if (["options", "block"].includes(o5)) continue;
          let i4 = o5, a5 = n3.hooks[i4], c4 = s4[i4];
          A4.passThroughHooks.has(o5) ? s4[i4] = (u4) => {
            if (s4.options.async && A4.passThroughHooksRespectAsync.has(o5)) return (async () => {
              let h5 = await a5.call(s4, u4);
              return c4.call(s4, h5);
            })();
            let d5 = a5.call(s4, u4);
            return c4.call(s4, d5);
          } : s4[i4] = (...u4) => {
            if (s4.options.async) return (async () => {
              let h5 = await a5.apply(s4, u4);
              return h5 === false && (h5 = await c4.apply(s4, u4)), h5;
            })();
            let d5 = a5.apply(s4, u4);
            return d5 === false && (d5 = c4.apply(s4, u4)), d5;
          };
        }
        r4.hooks = s4;
      }
      if (n3.walkTokens) {
        let s4 = this.defaults.walkTokens, o5 = n3.walkTokens;
        r4.walkTokens = function(i4) {
          let a5 = [];
          return M2(a5, o5.call(this, i4)), s4 && M2(a5, s4.call(this, i4)), a5;
        };
      }
      this.defaults = { ...this.defaults, ...r4 };
    }), this;
  }
  setOptions(e4) {
    return this.defaults = { ...this.defaults, ...e4 }, this;
  }
  lexer(e4, t4) {
    return w5.lex(e4, t4 ?? this.defaults);
  }
  parser(e4, t4) {
    return P2.parse(e4, t4 ?? this.defaults);
  }
  parseMarkdown(e4) {
    return (n3, r4) => {
      let s4 = { ...r4 }, o5 = { ...this.defaults, ...s4 }, i4 = this.onError(!!o5.silent, !!o5.async);
      if (this.defaults.async === true && s4.async === false) return i4(new Error("marked(): The async option was set to true by an extension. Remove async: false from the parse options object to return a Promise."));
      if (typeof n3 > "u" || n3 === null) return i4(new Error("marked(): input parameter is undefined or null"));
      if (typeof n3 != "string") return i4(new Error("marked(): input parameter is of type " + Object.prototype.toString.call(n3) + ", string expected"));
      if (o5.hooks && (o5.hooks.options = o5, o5.hooks.block = e4), o5.async) return (async () => {
        let a5 = o5.hooks ? await o5.hooks.preprocess(n3) : n3, u4 = await (o5.hooks ? await o5.hooks.provideLexer(e4) : e4 ? w5.lex : w5.lexInline)(a5, o5), d5 = o5.hooks ? await o5.hooks.processAllTokens(u4) : u4;
        o5.walkTokens && await Promise.all(this.walkTokens(d5, o5.walkTokens));
        let p5 = await (o5.hooks ? await o5.hooks.provideParser(e4) : e4 ? P2.parse : P2.parseInline)(d5, o5);
        return o5.hooks ? await o5.hooks.postprocess(p5) : p5;
      })().catch(i4);
      try {
        o5.hooks && (n3 = o5.hooks.preprocess(n3));
        let c4 = (o5.hooks ? o5.hooks.provideLexer(e4) : e4 ? w5.lex : w5.lexInline)(n3, o5);
        o5.hooks && (c4 = o5.hooks.processAllTokens(c4)), o5.walkTokens && this.walkTokens(c4, o5.walkTokens);
        let d5 = (o5.hooks ? o5.hooks.provideParser(e4) : e4 ? P2.parse : P2.parseInline)(c4, o5);
        return o5.hooks && (d5 = o5.hooks.postprocess(d5)), d5;
      } catch (a5) {
        return i4(a5);
      }
    };
  }
  onError(e4, t4) {
    return (n3) => {
      if (n3.message += `
Please report this to https://github.com/markedjs/marked.`, e4) {
        let r4 = "<p>An error occurred:</p><pre>" + y5(n3.message + "", true) + "</pre>";
        return t4 ? Promise.resolve(r4) : r4;
      }
      if (t4) return Promise.reject(n3);
      throw n3;
    };
  }
};
var v4 = new ne();
function x3(l6, e4) {
  return v4.parse(l6, e4);
}
x3.options = x3.setOptions = function(l6) {
  return v4.setOptions(l6), x3.defaults = v4.defaults, ue(x3.defaults), x3;
};
x3.getDefaults = G3;
x3.defaults = S3;
function jt(...l6) {
  return v4.use(...l6), x3.defaults = v4.defaults, ue(x3.defaults), x3;
}
x3.use = jt;
x3.walkTokens = function(l6, e4) {
  return v4.walkTokens(l6, e4);
};
x3.parseInline = v4.parseInline;
x3.Parser = P2;
x3.parser = P2.parse;
x3.Renderer = I2;
x3.TextRenderer = z3;
x3.Lexer = w5;
x3.lexer = w5.lex;
x3.Tokenizer = _4;
x3.Hooks = A4;
x3.parse = x3;
var En = x3.options;
var zn = x3.setOptions;
var Mn = x3.walkTokens;
var Bn = x3.parseInline;
var qn = P2.parse;
var vn = w5.lex;
export {
  $ as Fragment,
  w5 as Lexer,
  r3 as batch,
  O as computed,
  x2 as effect,
  k as h,
  a3 as jsx,
  a3 as jsxs,
  n as options,
  Q as render,
  y3 as signal,
  A2 as useEffect,
  F2 as useLayoutEffect,
  T2 as useRef,
  d2 as useState
};
