//! Generated sessions of forty model calls.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::json;
use turnkit_core::{Arguments, CallUid, Image, Message, Part, Role, ToolCall, ToolDefinition, ToolResult, TurnId};
use uuid::Uuid;

const CALLS: usize = 40;

const ENGLISH: &[&str] = &[
    "The committee met on Tuesday to discuss the budget for the coming year. ",
    "I have tried to restart the service twice, but the error message is always the same. ",
    "Could you explain why the second approach is slower than the first one? ",
    "It depends on how often the data changes and on how many people read it at the same time. ",
    "Her grandmother kept a small garden behind the house, where tomatoes and beans grew in long rows. ",
    "Unfortunately, the warranty does not cover accidental damage or unauthorised modifications. ",
    "Yes. ",
    "A mutex protects the map, so only one thread may write to it while the others wait. ",
    "The train leaves at 8:45 from platform 3 and arrives shortly after noon. ",
    "Nevertheless, most economists expect inflation to fall below 2.5 percent by the end of 2027. ",
    "First, preheat the oven to 180 degrees; then mix the flour, the sugar and a pinch of salt. ",
    "What did you think of the novel? I found the ending rather disappointing. ",
];
const CHINESE: &[&str] = &[
    "人工智能正在改变我们的生活方式。",
    "昨天我在北京的一家书店里遇到了一位老朋友，我们谈论了很多关于未来的事情。",
    "请把这份合同翻译成英文，并在星期五之前发给客户。",
    "由于天气原因，今天下午的航班被取消了。",
    "这个函数为什么会返回空值？我检查了所有的输入参数，都没有发现问题。",
    "他从小就喜欢音乐，十岁开始学习钢琴。",
];
const JAPANESE: &[&str] = &[
    "昨日は東京で友達と一緒に映画を見ました。",
    "会議の資料を金曜日までに準備してください。",
    "このシステムはデータベースの変更を自動的に検出します。",
    "申し訳ございませんが、その商品は現在在庫がございません。",
    "日本の夏は湿度が高くて、とても蒸し暑いです。",
    "エラーが発生した場合は、管理者に連絡してください。",
];
const KOREAN: &[&str] = &[
    "어제 서울에서 친구를 만나 저녁을 먹었습니다. ",
    "회의 자료를 금요일까지 준비해 주세요. ",
    "이 시스템은 데이터베이스의 변경 사항을 자동으로 감지합니다. ",
    "내일은 비가 온다고 하니 우산을 꼭 챙기세요. ",
    "이 문제를 해결하려면 설정 파일을 다시 확인해야 합니다. ",
];

/// The content of a session.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Prose,
    Cjk,
    Json,
    Images,
}

/// The requests and answers of a session.
#[derive(Debug, Clone)]
pub(super) struct Session {
    pub(super) instructions: String,
    pub(super) tools: Arc<[ToolDefinition]>,
    pub(super) first: Message,
    /// Each answer, with the message that follows it.
    pub(super) steps: Vec<[Message; 2]>,
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::Prose, Self::Cjk, Self::Json, Self::Images];

    /// Generates a session.
    pub(super) fn session(self, runner: &mut TestRunner) -> Session {
        let sentences = match self {
            Self::Cjk => select(vec![CHINESE, JAPANESE, KOREAN]).boxed(),
            Self::Prose | Self::Json | Self::Images => Just(ENGLISH).boxed(),
        };
        let session = sentences.prop_flat_map(move |sentences| {
            let first = question(self, sentences);
            (text(sentences, 0..40), first, vec(self.step(sentences), CALLS))
        });
        let session = session.prop_map(move |(instructions, first, steps)| {
            let tools: Arc<[_]> = if matches!(self, Self::Json) { vec![tool()].into() } else { [].into() };
            Session { instructions, tools, first, steps }
        });
        session.new_tree(runner).unwrap().current()
    }

    fn step(self, sentences: &'static [&'static str]) -> BoxedStrategy<[Message; 2]> {
        if matches!(self, Self::Json) {
            return round().boxed();
        }
        let answer = text(sentences, 1..25).prop_map(|text| Message::new(Role::Assistant, vec![Part::text(text)]));
        (answer, question(self, sentences)).prop_map(|(answer, question)| [answer, question]).boxed()
    }
}

fn text(sentences: &'static [&'static str], count: std::ops::Range<usize>) -> impl Strategy<Value = String> + Clone {
    vec(select(sentences), count).prop_map(|sentences| sentences.concat())
}

fn question(kind: Kind, sentences: &'static [&'static str]) -> impl Strategy<Value = Message> {
    let image = (200..3_000_u32, 200..3_000_u32).prop_map(|(width, height)| {
        Part::Image(Image::new("image/png", format!("https://images.example/{width}x{height}.png")))
    });
    let images = vec(image, if matches!(kind, Kind::Images) { 1..3 } else { 0..1 });
    (images, text(sentences, 1..6)).prop_map(|(mut parts, text)| {
        parts.push(Part::text(text));
        Message::new(Role::User, parts)
    })
}

fn tool() -> ToolDefinition {
    let parameters = json!({
        "type": "object",
        "properties": {
            "status": { "type": "string", "enum": ["open", "paid", "cancelled"], "description": "The state of the orders." },
            "after": { "type": "string", "description": "Only orders after this one." },
            "limit": { "type": "integer", "minimum": 1, "maximum": 100 },
        },
        "required": ["status"],
    });
    ToolDefinition::new("list_orders", "Lists the orders of a customer.", &parameters.to_string()).unwrap()
}

/// A call and its result: a list of records, on one line or indented.
fn round() -> impl Strategy<Value = [Message; 2]> {
    let record = (any::<u128>(), 0..1_000_000_u32, select(vec!["open", "paid"]), 1..29_u8, 0..60_u8, any::<bool>());
    let record = record.prop_map(|(id, cents, status, day, minute, gift)| {
        json!({
            "id": Uuid::from_u128(id).to_string(),
            "status": status,
            "amount": f64::from(cents) / 100.0,
            "created_at": format!("2026-11-{day:02}T09:{minute:02}:17Z"),
            "gift": gift,
            "customer": { "name": "Ada Lovelace", "city": "London" },
        })
    });
    (any::<u128>(), vec(record, 0..20), any::<bool>()).prop_map(|(after, records, is_indented)| {
        let uid = CallUid { turn: TurnId(Uuid::nil()), step: 1, ordinal: 0 };
        let (name, provider_id) = ("list_orders".to_owned(), uid.to_string());
        let arguments = json!({ "status": "open", "after": Uuid::from_u128(after).to_string(), "limit": 20 });
        let arguments = Arguments(arguments.to_string());
        let content =
            if is_indented { serde_json::to_string_pretty(&records) } else { serde_json::to_string(&records) };
        let (content, data, error) = (content.unwrap(), None, None);
        let call = ToolCall { uid, provider_id, name: name.clone(), arguments, extras: None };
        let result = ToolResult { data, error, ..ToolResult::new(uid, name, content) };
        [
            Message::new(Role::Assistant, vec![Part::ToolCall(call)]),
            Message::new(Role::Tool, vec![Part::ToolResult(result)]),
        ]
    })
}
