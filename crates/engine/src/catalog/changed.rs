//! The tools of sources whose definitions differ from those that were accepted.

use turnkit_core::ToolPin;
use turnkit_core::ports::PinOwner;

use super::{Catalog, CatalogTool};

impl Catalog {
    /// Returns the definitions that are to be compared with the accepted ones before the catalog is first used: those of
    /// each source, with the owner for whom they are accepted. Returns `None` if they were compared.
    pub(crate) fn uncompared(&self) -> Option<Vec<(PinOwner, Vec<ToolPin>)>> {
        if self.sets.is_empty() || self.changed.get().is_some() {
            return None;
        }
        let sets = self.sets.iter().enumerate().filter(|(_, set)| !set.is_recorded);
        let pins = |source: usize| {
            let tools = self.tools.iter().filter(move |tool| tool.source == Some(source));
            tools.filter_map(|tool| self.pin_of(tool)).collect::<Vec<_>>()
        };
        let all = sets.map(|(source, set)| (set.owner.clone(), pins(source)));
        Some(all.filter(|(_, tools)| !tools.is_empty()).collect())
    }

    /// Records the names of the tools whose definitions differ from the accepted ones.
    pub(crate) fn set_changed(&self, tools: &[String]) {
        // Another turn that compared them at the same time may have been first.
        let _ = self.changed.set(tools.iter().filter_map(|tool| self.place(tool)).collect());
    }

    /// Reports whether any definition differed from the accepted one when the catalog was first used.
    pub(crate) fn has_changed(&self) -> bool {
        self.changed.get().is_some_and(|changed| !changed.is_empty())
    }

    /// Returns the definition of a tool if it differed from the accepted one when the catalog was first used.
    pub(crate) fn changed(&self, name: &str) -> Option<ToolPin> {
        let changed = self.changed.get()?;
        let place = self.place(name).filter(|place| changed.contains(place))?;
        self.pin_of(self.at(place)?)
    }

    /// Returns the definition of a tool that comes from a source, if the source can change it at any time.
    fn pin_of(&self, tool: &CatalogTool) -> Option<ToolPin> {
        let (source, fingerprint) = (self.source_of(tool)?.to_owned(), tool.runner.tool()?.pin()?);
        Some(ToolPin { source, tool: tool.definition.name.clone(), fingerprint })
    }
}
