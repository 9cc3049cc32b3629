//! The tools of a server.

mod effect;
mod failure;

use rmcp::ErrorData;
use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock, JsonObject, ListToolsResult, Tool};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::caller::Caller;
pub use effect::Effect;
pub use failure::ToolFailure;

/// The number of tools in a page of the list.
const PAGE: usize = 5;

/// The tools of a server, over its data.
pub struct Toolbox<D> {
    name: &'static str,
    instructions: &'static str,
    data: D,
    tools: Vec<Offered<D>>,
}

/// A tool and the function that carries out its calls.
struct Offered<D> {
    definition: Tool,
    run: Run<D>,
}

type Run<D> = Box<dyn Fn(&D, &Caller, JsonObject) -> Result<Value, ToolFailure> + Send + Sync>;

impl<D> Toolbox<D> {
    /// Creates an empty toolbox of a server with this name. The instructions tell clients what its tools are for.
    pub fn new(name: &'static str, instructions: &'static str, data: D) -> Self {
        Self { name, instructions, data, tools: Vec::new() }
    }

    /// Adds a tool. Its schemas are those of the argument and of the result of `run`, which must be objects.
    #[must_use]
    pub fn tool<A, R>(
        mut self,
        name: &'static str,
        description: &'static str,
        effect: Effect,
        run: fn(&D, &Caller, A) -> Result<R, ToolFailure>,
    ) -> Self
    where
        D: 'static,
        A: DeserializeOwned + JsonSchema + 'static,
        R: Serialize + JsonSchema + 'static,
    {
        let definition = Tool::new(name, description, JsonObject::new())
            .with_input_schema::<A>()
            .with_output_schema::<R>()
            .with_annotations(effect.annotations());
        let run = move |data: &D, caller: &Caller, arguments: JsonObject| -> Result<Value, ToolFailure> {
            let arguments = serde_json::from_value(Value::Object(arguments)).map_err(ToolFailure::Arguments)?;
            serde_json::to_value(run(data, caller, arguments)?).map_err(ToolFailure::Result)
        };
        self.tools.push(Offered { definition, run: Box::new(run) });
        self
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn instructions(&self) -> &'static str {
        self.instructions
    }

    /// Returns the definition of a tool.
    pub(crate) fn definition(&self, name: &str) -> Option<Tool> {
        self.offered(name).map(|tool| tool.definition.clone())
    }

    /// Returns the page of the list that begins at a cursor of the previous page.
    pub(crate) fn page(&self, cursor: Option<&str>) -> Result<ListToolsResult, ErrorData> {
        let begin = match cursor {
            None => 0,
            Some(cursor) => {
                cursor.parse::<usize>().ok().filter(|begin| *begin < self.tools.len()).ok_or_else(|| {
                    ErrorData::invalid_params("the cursor is not one of this list: list from the beginning", None)
                })?
            }
        };
        let page = self.tools.iter().skip(begin).take(PAGE).map(|tool| tool.definition.clone()).collect();
        let mut listed = ListToolsResult::with_all_items(page);
        let end = begin + PAGE;
        listed.next_cursor = (end < self.tools.len()).then(|| end.to_string());
        Ok(listed)
    }

    /// Carries out a call. A failure of the tool is a result; only a call of a missing tool is an error.
    pub(crate) fn call(&self, caller: &Caller, call: CallToolRequestParams) -> Result<CallToolResult, ErrorData> {
        let Some(tool) = self.offered(&call.name) else {
            return Err(ErrorData::invalid_params(format!("there is no tool `{}`", call.name), None));
        };
        Ok(match (tool.run)(&self.data, caller, call.arguments.unwrap_or_default()) {
            Ok(result) => CallToolResult::structured(result),
            Err(failure) => CallToolResult::error(vec![ContentBlock::text(failure.to_string())]),
        })
    }

    fn offered(&self, name: &str) -> Option<&Offered<D>> {
        self.tools.iter().find(|tool| tool.definition.name == name)
    }
}
