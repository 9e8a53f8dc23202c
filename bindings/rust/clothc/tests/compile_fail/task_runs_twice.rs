// error: E0382
//! A task that runs twice.
use clothc::Task;

fn main() {}

pub fn run(task: Task) {
    task.run();
    #[cfg(misuse)]
    task.run();
}
